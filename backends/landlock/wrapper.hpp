#pragma once
// The helper's command line for a policy.

#include "agentrun/backend.hpp"
#include "check.hpp"

namespace agentrun::landlock {

/// Refuses a denied path inside a writable directory (Landlock cannot take away inside what it granted), a /tmp of the
/// sandbox's own, and a limit of the network where connections cannot be judged.
[[nodiscard]] Result<SandboxPlan> wrap(const PlanRequest& request, const Findings& findings);

}  // namespace agentrun::landlock
