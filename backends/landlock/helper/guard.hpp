#pragma once
// The process above the command and outside of its limits: answers its connections, and ends with it whatever it left
// behind.

#include <sys/types.h>

#include "options.hpp"

namespace agentrun::landlock {

/// Runs as a child of the spawned process, whose group the command will have. Starts the command, serves it, kills
/// what is left at its end, or when the parent dies, and ends with its exit code. `begun` is closed once the command
/// has begun or failed to.
[[noreturn]] void guard(const Options& options, pid_t parent, int begun);

/// Nothing of the command's streams is held open: who reads them sees when the command closes them.
void let_go_of_streams() noexcept;

}  // namespace agentrun::landlock
