#pragma once
// The sandbox that codex brings along. For codex itself it is a permission profile that codex keeps around the
// commands of its agent; any other command is started by `codex sandbox`.

#include <filesystem>
#include <optional>

#include "agentrun/backend.hpp"

namespace agentrun::codex {

class CodexBackend final : public Backend {
 public:
  [[nodiscard]] BackendTraits traits() const override;
  [[nodiscard]] Result<Readiness> check(CheckServices& services, const CheckRequest& request) override;
  [[nodiscard]] Result<SandboxPlan> plan(const PlanRequest& request) const override;
  [[nodiscard]] Result<std::vector<std::string>> own_arguments(const PlanRequest& request) const override;
  [[nodiscard]] StartFailureRule start_failure() const override;

 private:
  std::optional<std::filesystem::path> codex_;
};

}  // namespace agentrun::codex
