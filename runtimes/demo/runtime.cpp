#include "runtime.hpp"

#include "translator.hpp"

namespace agentrun::demo {

RuntimeTraits DemoRuntime::traits() const {
  RuntimeTraits traits;
  traits.takes_model = false;
  traits.takes_effort = false;
  traits.echoes_prompt = true;
  return traits;
}

Result<void> DemoRuntime::check(const RunArguments&) const { return {}; }

Result<Launch> DemoRuntime::plan(const LaunchContext& context) const {
  Launch launch;
  // Installed beside the directory of the plugins, so that no PATH decides which program it is.
  launch.executable = (context.plugin_directory / ".." / "agentrun-demo-agent").lexically_normal();
  launch.arguments = context.arguments.extra;
  launch.standard_input = context.prompt;
  return launch;
}

Result<std::unique_ptr<Translator>> DemoRuntime::translator(const LaunchContext&) const {
  return std::make_unique<DemoTranslator>();
}

}  // namespace agentrun::demo
