#pragma once
// `agentrun doctor [RUNTIME…] [options]`.

#include <filesystem>
#include <string>
#include <vector>

#include "agentrun/result.hpp"
#include "cli/command.hpp"

namespace agentrun::cli {

/// `words` behind "doctor"; `runtimes` are those that can be started, found in `directories`.
[[nodiscard]] Result<Command> parse_doctor(const std::vector<std::string>& words,
                                           const std::vector<std::string>& runtimes,
                                           const std::vector<std::filesystem::path>& directories);

}  // namespace agentrun::cli
