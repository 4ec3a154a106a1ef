#pragma once
// The process that becomes the command.

#include <sys/types.h>

#include "options.hpp"

namespace agentrun::landlock {

/// Takes on every limit and becomes the command; never returns. Runs in a process of its own that still shares its
/// table of descriptors with the guard: so the guard gets the listener of the supervised calls, whose number is written
/// to `report` (-1: nothing is supervised). Sending it is no way: the filter is in place and sendmsg() could be in it.
/// `group` is the process group that the command belongs to.
[[noreturn]] void become_command(const Options& options, pid_t guard, pid_t group, int report);

}  // namespace agentrun::landlock
