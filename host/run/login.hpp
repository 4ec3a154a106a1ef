#pragma once
// The login that the caller passes in a variable.

#include <string>

#include "agentrun/host/frontend.hpp"
#include "run/setting.hpp"

namespace agentrun::host {

/// Writes it, for this runtime only, and says so to `facts` unless that is null.
[[nodiscard]] Result<void> write_login(const std::string& runtime, const Setting& setting, FactSink* facts);

}  // namespace agentrun::host
