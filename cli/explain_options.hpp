#pragma once
// `agentrun explain [options] read PATH | write PATH | connect HOST:PORT`.

#include <string>
#include <vector>

#include "agentrun/result.hpp"
#include "cli/command.hpp"

namespace agentrun::cli {

/// `words` behind "explain".
[[nodiscard]] Result<Command> parse_explain(const std::vector<std::string>& words);

}  // namespace agentrun::cli
