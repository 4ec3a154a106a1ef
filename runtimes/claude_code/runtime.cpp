#include "runtime.hpp"

#include <utility>

#include "agentrun/path.hpp"
#include "arguments.hpp"
#include "command_path.hpp"
#include "login.hpp"
#include "own_sandbox.hpp"
#include "session_record.hpp"
#include "translator.hpp"
#include "user_message.hpp"

namespace agentrun::claude_code {

namespace {

std::vector<Variable> variables(const LaunchContext& context) {
  std::vector<Variable> variables;
  // Without a sandbox claude asks a model whether a command is safe; a service that has no such check of its own gets
  // that question only while this is not set.
  if (context.sandboxed && !context.environment.get("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC")) {
    variables.push_back({"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1"});
  }
  // The setting alone would not do: "0" in the caller's environment beats it.
  variables.push_back({"CLAUDE_CODE_DISABLE_AUTO_MEMORY", "1"});
  // claude starts socat for its sandbox. socat 1.8 picks IPv6 otherwise and ends where the kernel has none.
  if (context.sandboxed) variables.push_back({"SOCAT_DEFAULT_LISTEN_IP", "4"});
  return variables;
}

}  // namespace

RuntimeTraits ClaudeRuntime::traits() const {
  RuntimeTraits traits;
  traits.executable = "claude";
  traits.takes_images = true;
  traits.limits_turns = true;
  traits.keeps_sessions = true;
  traits.echoes_prompt = true;
  traits.removed_prefixes = {"ANTHROPIC_", "CLAUDE_CODE_USE_"};
  traits.backends = {own_sandbox()};
  traits.confines_itself = true;
  traits.oldest_version = "2.1.288";
  traits.scratch_variables = {"CLAUDE_CONFIG_DIR"};
  traits.install_command = "npm install -g @anthropic-ai/claude-code";
  traits.usual_service_host = "api.anthropic.com";
  return traits;
}

Result<void> ClaudeRuntime::check(const RunArguments& arguments) const { return check_arguments(arguments); }

Result<Needs> ClaudeRuntime::needs(const NeedsContext& context) const {
  Needs needs;
  // Its own process goes to the model service without the proxy; commands have no network at all under `none`.
  needs.proxy = context.network == NetworkMode::none ? ProxyUse::none : ProxyUse::commands;
  return needs;
}

Result<Launch> ClaudeRuntime::plan(const LaunchContext& context) const {
  Launch launch;
  launch.arguments = command_line(context);
  auto message = user_message(context.prompt, context.images);
  if (!message) return tl::unexpected(message.error());
  launch.standard_input = std::move(*message);
  launch.variables = variables(context);
  keep_planted_programs_out(context, launch);
  if (context.arguments.keep_session) {
    auto record = session_record(context);
    if (!record) return tl::unexpected(record.error());
    launch.record = std::move(*record);
  }
  return launch;
}

Result<std::unique_ptr<Translator>> ClaudeRuntime::translator(const LaunchContext& context) const {
  TranslatorOptions options;
  options.cwd = real_path(context.cwd);
  options.subagents = context.arguments.subagents;
  options.sandboxed = context.sandboxed;
  options.keeps_session = context.arguments.keep_session;
  return std::make_unique<ClaudeTranslator>(std::move(options));
}

Result<LoginReport> ClaudeRuntime::login(const LoginContext& context) const { return login_report(context); }

}  // namespace agentrun::claude_code
