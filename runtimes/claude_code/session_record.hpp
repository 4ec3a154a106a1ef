#pragma once
// Where claude keeps the record of a session: <configuration directory>/projects/<project>/<id>.jsonl, and a directory
// <id> with what its subagents and long outputs left.

#include <filesystem>
#include <string>

#include "agentrun/environment.hpp"
#include "agentrun/result.hpp"
#include "agentrun/runtime.hpp"

namespace agentrun::claude_code {

/// The name of the directory for `cwd` (links resolved): all but ASCII letters and digits becomes "-"; what is longer
/// than 200 characters is cut and ends in a hash.
[[nodiscard]] std::string project_name(const std::filesystem::path& cwd);

/// CLAUDE_CONFIG_DIR, else ~/.claude. Refused when neither that variable nor HOME is set.
[[nodiscard]] Result<std::filesystem::path> config_directory(const Environment& environment,
                                                             const std::filesystem::path& cwd);

/// Of the session that is resumed, else of the new one.
[[nodiscard]] Result<SessionRecord> session_record(const LaunchContext& context);

}  // namespace agentrun::claude_code
