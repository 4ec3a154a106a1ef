#pragma once
// PATH of an agent's own process where that runs outside the sandbox of its commands and looks for bwrap and others
// again and again. Attack: a command of the agent puts a bwrap into an entry of PATH inside the working directory (a
// virtual environment, node_modules/.bin), and the next command starts it outside.

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "agentrun/runtime.hpp"

namespace agentrun::program_path {

/// `search_path` without the entries that are relative or lie inside one of `writable`.
[[nodiscard]] std::string outside_entries(std::string_view search_path, const std::filesystem::path& cwd,
                                          const std::vector<std::filesystem::path>& writable);

/// The PATH for the agent's process; nothing where the session's holds no such entry.
[[nodiscard]] std::optional<std::string> without_planted_programs(const LaunchContext& context);

}  // namespace agentrun::program_path
