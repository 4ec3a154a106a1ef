#pragma once
// What `agentrun --help` and `agentrun --version` print.

#include <string>
#include <vector>

namespace agentrun::cli {

[[nodiscard]] std::string top_level_help(const std::vector<std::string>& runtimes);
[[nodiscard]] std::string version_line();

}  // namespace agentrun::cli
