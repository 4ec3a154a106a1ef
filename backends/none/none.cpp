// No confinement: the command runs as it is. Used under --sandbox off, and under relax when nothing else works.

#include "agentrun/backend.hpp"
#include "agentrun/plugin.hpp"

namespace agentrun {
namespace {

class NoBackend final : public Backend {
 public:
  [[nodiscard]] BackendTraits traits() const override {
    return {.kind = "none", .confines = false, .limits_network = false, .denied_text = {}};
  }

  [[nodiscard]] Result<Readiness> check(CheckServices& /*services*/, const CheckRequest& /*request*/) override {
    return Readiness{};
  }

  [[nodiscard]] Result<SandboxPlan> plan(const PlanRequest& request) const override {
    return SandboxPlan{.argv = request.command, .command_at = 0, .files = {}, .depth = 0};
  }

  [[nodiscard]] StartFailureRule start_failure() const override { return {}; }
};

}  // namespace
}  // namespace agentrun

AGENTRUN_BACKEND_PLUGIN(agentrun::NoBackend, "none", AGENTRUN_VERSION)
