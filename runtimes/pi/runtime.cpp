#include "runtime.hpp"

#include <utility>

#include "arguments.hpp"
#include "login.hpp"
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
  traits.keeps_sessions = true;
  traits.oldest_version = "1.0.1";
  traits.scratch_variables = {"PI_CODING_AGENT_DIR"};
  traits.install_command = "npm install -g @earendil-works/pi-coding-agent";
  return traits;
}

Result<void> PiRuntime::check(const RunArguments& arguments) const { return check_arguments(arguments); }

Result<Needs> PiRuntime::needs(const NeedsContext& context) const {
  const auto directory = state_directory(context.environment, context.cwd);
  if (!directory) return tl::unexpected(directory.error());

  Needs needs;
  needs.services = service_hosts(context.arguments.model, *directory);
  needs.required.push_back({"pi state directory", *directory});
  if (!context.sandboxed) return needs;
  auto states = writable_states(*directory, context.environment.get_nonempty("HOME").value_or(""));
  if (!states) return tl::unexpected(states.error());
  needs.states = std::move(*states);
  needs.hide = hidden_state(*directory);
  return needs;
}

Result<Launch> PiRuntime::plan(const LaunchContext& context) const {
  Launch launch;
  CommandLine line = command_line(context);
  launch.arguments = std::move(line.arguments);
  launch.prompt_argument = line.prompt_argument;
  launch.standard_input = std::move(line.standard_input);
  launch.record = session_record(context);
  return launch;
}

Result<std::unique_ptr<Translator>> PiRuntime::translator(const LaunchContext& context) const {
  return std::make_unique<PiTranslator>(context.arguments.model);
}

Result<LoginReport> PiRuntime::login(const LoginContext& context) const { return check_login(context); }

}  // namespace agentrun::pi
