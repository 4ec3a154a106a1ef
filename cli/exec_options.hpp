#pragma once
// `agentrun exec [options] -- COMMAND [ARGS…]`.

#include <optional>
#include <string>
#include <vector>

#include "agentrun/result.hpp"
#include "cli/command.hpp"

namespace agentrun::cli {

/// `words` between "exec" and "--", `command` behind it; absent without "--".
[[nodiscard]] Result<Command> parse_exec(const std::vector<std::string>& words,
                                         std::optional<std::vector<std::string>> command);

}  // namespace agentrun::cli
