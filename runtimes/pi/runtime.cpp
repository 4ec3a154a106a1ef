#include "runtime.hpp"

#include <utility>

#include "arguments.hpp"
#include "services.hpp"
#include "state.hpp"
#include "translator.hpp"

namespace agentrun::pi {

RuntimeTraits PiRuntime::traits() const {
  RuntimeTraits traits;
  traits.executable = "pi";
  traits.takes_images = true;
  traits.reads_own_login = true;
  traits.echoes_prompt = true;
  return traits;
}

Result<void> PiRuntime::check(const RunArguments& arguments) const { return check_arguments(arguments); }

Result<Launch> PiRuntime::plan(const LaunchContext& context) const {
  const auto directory = state_directory(context.environment, context.cwd);
  if (!directory) return tl::unexpected(directory.error());

  Launch launch;
  CommandLine line = command_line(context);
  launch.arguments = std::move(line.arguments);
  launch.prompt_argument = line.prompt_argument;
  launch.standard_input = std::move(line.standard_input);
  launch.services = service_hosts(context.arguments.model, *directory);
  launch.required.push_back({"pi state directory", *directory});
  if (context.sandboxed) {
    auto state = writable_state(*directory);
    if (!state) return tl::unexpected(state.error());
    launch.state = std::move(*state);
    launch.hide = hidden_state(*directory);
  }
  return launch;
}

Result<std::unique_ptr<Translator>> PiRuntime::translator(const LaunchContext& context) const {
  return std::make_unique<PiTranslator>(context.arguments.model);
}

}  // namespace agentrun::pi
