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

/// The entries that pi writes during a run: in its state directory and, when auth.json is a link, in the directory that
/// it leads to (pi 1.6 makes its lock beside the target). Refused when the target is not a login file of pi: an earlier
/// agent could have replaced auth.json by a link to anything of the user's. Refused, too, when `home` lies in the
/// target's directory: a sandbox can only open the whole of it for new entries.
[[nodiscard]] Result<std::vector<StateDirectory>> writable_states(const std::filesystem::path& directory,
                                                                  const std::filesystem::path& home);

/// Files that pi 1.6.0 passes to the model in spite of the options that keep the user's own additions out.
[[nodiscard]] std::vector<std::filesystem::path> hidden_state(const std::filesystem::path& directory);

}  // namespace agentrun::pi
