#pragma once

#include <string>
#include <vector>

#include "agentrun/runtime.hpp"

namespace agentrun::claude_code {

/// The JSON of --settings: claude's sandbox, what it may not read, no memory between runs. `allowed` are the rules
/// that --allowedTools cannot hold.
[[nodiscard]] std::string settings_json(const LaunchContext& context, const std::vector<std::string>& allowed);

}  // namespace agentrun::claude_code
