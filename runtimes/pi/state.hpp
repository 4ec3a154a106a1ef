#pragma once
// pi's state directory: its login, its settings, its locks. The user's own one is used, because the locks must
// exclude the user's own pi.

#include <filesystem>
#include <vector>

#include "agentrun/environment.hpp"
#include "agentrun/policy.hpp"
#include "agentrun/result.hpp"

namespace agentrun::pi {

/// PI_CODING_AGENT_DIR as pi reads it ("~" is the home, a relative path starts from `cwd`), else ~/.pi/agent.
/// Absolute, links not resolved; it need not exist. Refused when neither that variable nor HOME is set.
[[nodiscard]] Result<std::filesystem::path> state_directory(const Environment& environment,
                                                            const std::filesystem::path& cwd);

/// The entries that pi writes during a run, and where auth.json leads when it is a link. Refused when that is not a
/// login file of pi: an earlier agent could have replaced auth.json by a link to anything of the user's.
[[nodiscard]] Result<StateDirectory> writable_state(const std::filesystem::path& directory);

/// Files that pi 1.6.0 passes to the model in spite of the options that keep the user's own additions out.
[[nodiscard]] std::vector<std::filesystem::path> hidden_state(const std::filesystem::path& directory);

}  // namespace agentrun::pi
