#pragma once
// The dsh runtime (DeepSeek Harness): its whole process runs in the backend's sandbox, its own sandbox is off.

#include "agentrun/runtime.hpp"

namespace agentrun::dsh {

class DshRuntime final : public Runtime {
 public:
  [[nodiscard]] RuntimeTraits traits() const override;
  [[nodiscard]] Result<void> check(const RunArguments& arguments) const override;
  [[nodiscard]] Result<Needs> needs(const NeedsContext& context) const override;
  [[nodiscard]] Result<Launch> plan(const LaunchContext& context) const override;
  [[nodiscard]] Result<std::unique_ptr<Translator>> translator(const LaunchContext& context) const override;
  [[nodiscard]] Result<LoginReport> login(const LoginContext& context) const override;
};

}  // namespace agentrun::dsh
