#pragma once
// The whole command line, as a pure function of what is known.

#include "agentrun/backend.hpp"
#include "carrier.hpp"
#include "check.hpp"
#include "state_directory.hpp"

namespace agentrun::bwrap {

/// `carrier` brings the proxy inside; needed (not null) when the request's network is proxied or there is a door.
[[nodiscard]] Result<SandboxPlan> wrap(const PlanRequest& request, const Findings& findings, const StateMounts& state,
                                       const NetworkCarrier* carrier);

}  // namespace agentrun::bwrap
