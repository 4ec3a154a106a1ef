#pragma once
// A scripted agent without a model: it shows the sandbox at work, and how a runtime plugin is written.

#include "agentrun/runtime.hpp"

namespace agentrun::demo {

class DemoRuntime final : public Runtime {
 public:
  [[nodiscard]] RuntimeTraits traits() const override;
  [[nodiscard]] Result<void> check(const RunArguments& arguments) const override;
  [[nodiscard]] Result<Launch> plan(const LaunchContext& context) const override;
  [[nodiscard]] Result<std::unique_ptr<Translator>> translator(const LaunchContext& context) const override;
};

}  // namespace agentrun::demo
