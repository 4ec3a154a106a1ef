#pragma once
// The bubblewrap backend: an unprivileged container around the command, with the host's files read-only.

#include <optional>

#include "agentrun/backend.hpp"
#include "check.hpp"

namespace agentrun::bwrap {

class BwrapBackend final : public Backend {
 public:
  [[nodiscard]] BackendTraits traits() const override;
  [[nodiscard]] Result<Readiness> check(CheckServices& services, const CheckRequest& request) override;
  [[nodiscard]] Result<SandboxPlan> plan(const PlanRequest& request) const override;
  [[nodiscard]] StartFailureRule start_failure() const override;

 private:
  std::optional<Findings> findings_;
};

}  // namespace agentrun::bwrap
