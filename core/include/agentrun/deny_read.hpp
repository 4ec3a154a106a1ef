#pragma once
// The default list of paths that an agent cannot read: keys, cloud credentials, logins and session records.

#include <filesystem>
#include <string_view>
#include <vector>

#include "agentrun/environment.hpp"

namespace agentrun {

/// `~` and the runtimes' directory variables (CLAUDE_CONFIG_DIR, CODEX_HOME, PI_CODING_AGENT_DIR, DSH_HOME) come from
/// `session`, relative values start from `cwd`; without HOME the entries below it are left out. `reader` is the
/// runtime that reads its own login inside the sandbox ("pi") and so keeps it; empty for none. Absolute paths,
/// in the order of docs/threat-model.md, without duplicates; they need not exist.
[[nodiscard]] std::vector<std::filesystem::path> default_denied_reads(const Environment& session,
                                                                      const std::filesystem::path& cwd,
                                                                      std::string_view reader);

}  // namespace agentrun
