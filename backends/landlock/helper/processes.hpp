#pragma once
// Ending what is left of a run.

namespace agentrun::landlock {

/// Orphans of this process's descendants become its children from now on.
void become_subreaper() noexcept;

/// Kills every child until there is none; their own children come here as orphans. Gives up after five seconds.
void kill_all_children() noexcept;

/// The exit code of a shell for a status of waitpid().
[[nodiscard]] int exit_code_of(int status) noexcept;

}  // namespace agentrun::landlock
