#pragma once

#include <string>

#include "agentrun/result.hpp"

namespace agentrun::host {

/// A random UUID (RFC 9562, version 4) in lower case.
[[nodiscard]] Result<std::string> random_uuid();

}  // namespace agentrun::host
