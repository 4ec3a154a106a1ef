#pragma once
// `agentrun RUNTIME [options] [-- runtime arguments]`.

#include <string>
#include <vector>

#include "agentrun/result.hpp"
#include "cli/command.hpp"

namespace agentrun::cli {

/// `words` between the runtime's name and "--", `extra` behind "--". `usual` is the format without --format.
[[nodiscard]] Result<Command> parse_run(const std::string& runtime, const std::vector<std::string>& words,
                                        std::vector<std::string> extra, OutputFormat usual);

}  // namespace agentrun::cli
