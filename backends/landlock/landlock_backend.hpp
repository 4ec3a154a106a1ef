#pragma once
// Landlock for files, signals and abstract sockets, seccomp and a supervisor for the rest: for machines and containers
// without user namespaces.

#include <optional>

#include "agentrun/backend.hpp"
#include "check.hpp"
#include "kernel.hpp"

namespace agentrun::landlock {

class LandlockBackend final : public Backend {
 public:
  explicit LandlockBackend(const Kernel& kernel = this_kernel()) : kernel_(kernel) {}

  /// `limits_network` is what the kernel promises until the check has seen it.
  [[nodiscard]] BackendTraits traits() const override;
  [[nodiscard]] Result<Readiness> check(CheckServices& services, const CheckRequest& request) override;
  [[nodiscard]] Result<SandboxPlan> plan(const PlanRequest& request) const override;
  [[nodiscard]] StartFailureRule start_failure() const override;

 private:
  Kernel kernel_;
  std::optional<Findings> findings_;
};

}  // namespace agentrun::landlock
