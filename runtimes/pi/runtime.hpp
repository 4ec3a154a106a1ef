#pragma once
// The pi coding agent.

#include "agentrun/runtime.hpp"

namespace agentrun::pi {

class PiRuntime final : public Runtime {
 public:
  [[nodiscard]] RuntimeTraits traits() const override;
  [[nodiscard]] Result<void> check(const RunArguments& arguments) const override;
  [[nodiscard]] Result<Needs> needs(const NeedsContext& context) const override;
  [[nodiscard]] Result<Launch> plan(const LaunchContext& context) const override;
  [[nodiscard]] Result<std::unique_ptr<Translator>> translator(const LaunchContext& context) const override;
  [[nodiscard]] Result<LoginReport> login(const LoginContext& context) const override;
};

}  // namespace agentrun::pi
