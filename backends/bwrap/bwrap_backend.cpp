#include "bwrap_backend.hpp"

#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>

#include "door_carrier.hpp"
#include "socat_carrier.hpp"
#include "state_directory.hpp"
#include "wrapper.hpp"

namespace agentrun::bwrap {
namespace {

Kernel this_kernel() {
  Kernel kernel;
  std::ifstream release("/proc/sys/kernel/osrelease");
  std::getline(release, kernel.release);
  // Does not mount it where it is mounted on the first look: stat is no look.
  std::error_code error;
  kernel.binfmt_misc = std::filesystem::is_directory("/proc/sys/fs/binfmt_misc", error);
  return kernel;
}

}  // namespace

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
