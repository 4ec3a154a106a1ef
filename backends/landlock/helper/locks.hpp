#pragma once
// Directories that are locks: named entries of a state directory. Landlock's right to make directories there would
// hold for everything below, and together with the right to remove them lets any directory be renamed.

#include <linux/seccomp.h>

#include <optional>

#include "caller.hpp"
#include "options.hpp"

namespace agentrun::landlock {

/// For mkdir() and rmdir() of such an entry: done, 0 or a number of errno. Nothing for any other directory: the call
/// may go on, Landlock judges it.
[[nodiscard]] std::optional<int> change_lock(const seccomp_data& call, const Caller& caller, const Options& options);

}  // namespace agentrun::landlock
