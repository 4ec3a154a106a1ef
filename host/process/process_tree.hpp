#pragma once
// Finding and ending the processes of a run that the process group does not reach.

#include <sys/types.h>

#include <chrono>
#include <optional>
#include <vector>

namespace agentrun::host {

/// Direct children of a process, of all its threads, oldest first.
[[nodiscard]] std::vector<pid_t> children_of(pid_t pid);

/// The process `depth` levels below `pid`, following the oldest child; nothing when there is none.
[[nodiscard]] std::optional<pid_t> descend(pid_t pid, unsigned depth);

/// From now on orphaned descendants become children of this process instead of init's, so that one which left its
/// group with setsid can still be found. Where the platform cannot do it nothing happens.
void become_subreaper() noexcept;

/// SIGKILL to every child of this process and everything below, except the children in `spared` (they were there
/// before agentrun began: a shell may exec it). Reaps them; gives up after `limit`.
void kill_descendants(const std::vector<pid_t>& spared, std::chrono::milliseconds limit);

}  // namespace agentrun::host
