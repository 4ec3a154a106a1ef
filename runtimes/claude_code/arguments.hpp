#pragma once
// What claude is started with. Measured with claude 2.1.332.

#include <string>
#include <vector>

#include "agentrun/result.hpp"
#include "agentrun/runtime.hpp"

namespace agentrun::claude_code {

/// Refuses the id of a session that is none of claude's: it would search for something that looks like it.
[[nodiscard]] Result<void> check_arguments(const RunArguments& arguments);

[[nodiscard]] std::vector<std::string> command_line(const LaunchContext& context);

}  // namespace agentrun::claude_code
