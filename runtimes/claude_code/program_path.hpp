#pragma once
// PATH of claude's own process, which runs outside its sandbox and looks for bwrap, socat, git and npm there.

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "agentrun/environment.hpp"
#include "agentrun/runtime.hpp"

namespace agentrun::claude_code {

/// `search_path` without the entries that are relative or lie inside one of `writable`.
[[nodiscard]] std::string outside_entries(std::string_view search_path, const std::filesystem::path& cwd,
                                          const std::vector<std::filesystem::path>& writable);

/// Takes from claude's process what the agent could fill with programs, and gives it back to the commands inside the
/// sandbox. Does nothing where there is no such entry.
void keep_planted_programs_out(const LaunchContext& context, Launch& launch);

}  // namespace agentrun::claude_code
