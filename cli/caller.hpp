#pragma once

#include "agentrun/host/options.hpp"
#include "agentrun/result.hpp"

namespace agentrun::cli {

/// The process that agentrun is: its environment, current directory and file.
[[nodiscard]] Result<host::Caller> read_caller();

}  // namespace agentrun::cli
