#include "bwrap_backend.hpp"

#include <utility>

#include "door_carrier.hpp"
#include "socat_carrier.hpp"
#include "state_directory.hpp"
#include "wrapper.hpp"

namespace agentrun::bwrap {

BackendTraits BwrapBackend::traits() const {
  return {.kind = "bubblewrap", .confines = true, .limits_network = true, .denied_text = "Read-only file system"};
}

Result<Readiness> BwrapBackend::check(CheckServices& services, const CheckRequest& request) {
  findings_.reset();
  auto checked = bwrap::check(services, request, this_kernel());
  if (!checked) return tl::unexpected(std::move(checked.error()));
  findings_ = std::move(checked->findings);
  return std::move(checked->readiness);
}

Result<SandboxPlan> BwrapBackend::plan(const PlanRequest& request) const {
  if (!findings_) {
    return failure(ErrorCode::unavailable, "the bwrap backend was not checked", "Check the backend before planning");
  }
  const auto state = state_mounts(request.policy);
  if (!state) return tl::unexpected(state.error());
  if (findings_->door) {
    const DoorCarrier door(*findings_->door);
    return wrap(request, *findings_, *state, &door);
  }
  std::optional<SocatCarrier> carrier;
  if (findings_->socat) carrier.emplace(*findings_->socat);
  return wrap(request, *findings_, *state, carrier ? &*carrier : nullptr);
}

StartFailureRule BwrapBackend::start_failure() const { return {.prefix = "bwrap: ", .exit_codes = {1}, .notices = {}}; }

}  // namespace agentrun::bwrap
