#pragma once
// Who else could have written a plugin, or could exchange it before it is loaded. Pure decisions.

#include <cstdint>
#include <filesystem>
#include <vector>

#include "agentrun/result.hpp"
#include "plugins/path_walk.hpp"

namespace agentrun::host {

/// Every step must belong to root or to `user` and be closed to the group and to others; a directory on the way may
/// be open when root owns it and it is sticky (/tmp). POSIX access lists are covered: a permission they give shows in
/// the group bits. On macOS they do not show and are not judged.
[[nodiscard]] Result<void> judge_steps(const PathWalk& walk, std::uint32_t user);

/// Neither the file nor a link that leads to it may lie where the agent can write.
[[nodiscard]] Result<void> judge_place(const PathWalk& walk, const std::vector<std::filesystem::path>& writable);

}  // namespace agentrun::host
