#pragma once
// The Codex CLI. It keeps its agent's commands in a sandbox of its own; the process itself is not confined.

#include "agentrun/runtime.hpp"

namespace agentrun::codex {

class CodexRuntime final : public Runtime {
 public:
  [[nodiscard]] RuntimeTraits traits() const override;
  [[nodiscard]] Result<void> check(const RunArguments& arguments) const override;
  [[nodiscard]] Result<Needs> needs(const NeedsContext& context) const override;
  [[nodiscard]] Result<Launch> plan(const LaunchContext& context) const override;
  [[nodiscard]] Result<std::unique_ptr<Translator>> translator(const LaunchContext& context) const override;
  [[nodiscard]] Result<LoginReport> login(const LoginContext& context) const override;
};

}  // namespace agentrun::codex
