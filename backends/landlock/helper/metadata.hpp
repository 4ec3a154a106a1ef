#pragma once
// Calls that change a file's mode, owner, times or extended attributes: Landlock has no rule for them (Linux 6.18).
// Attack: chmod u+s on a program of root's, chmod o+r on a key.

#include <linux/seccomp.h>

#include <optional>

#include "caller.hpp"
#include "options.hpp"

namespace agentrun::landlock {

/// Makes the change in place of the caller: 0 or a number of errno, EACCES for a file that the agent may not write.
/// Nothing when the call is none of these.
[[nodiscard]] std::optional<int> change_metadata(const seccomp_data& call, const Caller& caller,
                                                 const Options& options);

}  // namespace agentrun::landlock
