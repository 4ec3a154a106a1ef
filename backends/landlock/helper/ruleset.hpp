#pragma once
// The rules of Landlock for a plan.

#include "descriptor.hpp"
#include "options.hpp"

namespace agentrun::landlock {

/// Ends the program when the kernel gives less than the plan promised.
[[nodiscard]] Descriptor make_ruleset(const Options& options);

/// From now on for this process and all that come from it. Needs no_new_privs.
void restrict_to(const Descriptor& ruleset);

}  // namespace agentrun::landlock
