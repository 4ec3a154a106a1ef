#include "landlock_backend.hpp"

#include "wrapper.hpp"

namespace agentrun::landlock {

BackendTraits LandlockBackend::traits() const {
  return {.kind = "landlock",
          .confines = true,
          .limits_network = findings_ ? findings_->reach.supervised : kernel_.supervises,
          .denied_text = "Permission denied"};
}

Result<Readiness> LandlockBackend::check(CheckServices& services, const CheckRequest& request) {
  findings_.reset();
  auto checked = landlock::check(services, request, kernel_);
  if (!checked) return tl::unexpected(std::move(checked.error()));
  findings_ = std::move(checked->findings);
  return std::move(checked->readiness);
}

Result<SandboxPlan> LandlockBackend::plan(const PlanRequest& request) const {
  if (findings_) return wrap(request, *findings_);
  return failure(ErrorCode::unavailable, "the landlock backend was not checked", "Check the backend before planning");
}

StartFailureRule LandlockBackend::start_failure() const {
  return {.prefix = "agentrun-landlock: ", .exit_codes = {125}, .notices = {}};
}

}  // namespace agentrun::landlock
