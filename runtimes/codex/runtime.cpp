#include "runtime.hpp"

#include <utility>

#include "arguments.hpp"
#include "login.hpp"
#include "program_path/program_path.hpp"
#include "translator.hpp"

namespace agentrun::codex {

namespace {

std::filesystem::path private_home(const LaunchContext& context) {
  return context.homes.empty() ? std::filesystem::path() : context.homes.front();
}

}  // namespace

RuntimeTraits CodexRuntime::traits() const {
  RuntimeTraits traits;
  traits.executable = "codex";
  traits.takes_images = true;
  traits.keeps_sessions = true;
  traits.removed_variables = {"CODEX_API_KEY", "OPENAI_API_KEY", "OPENAI_BASE_URL"};
  traits.backends = {"codex"};
  traits.confines_itself = true;
  traits.oldest_version = "0.159.2";
  traits.scratch_variables = {"CODEX_HOME"};
  traits.install_command = "npm install -g @openai/codex";
  traits.usual_service_host = "chatgpt.com";
  return traits;
}

Result<void> CodexRuntime::check(const RunArguments& arguments) const { return check_arguments(arguments); }

Result<Needs> CodexRuntime::needs(const NeedsContext& context) const {
  auto login = login_file(context.environment, context.cwd);
  if (!login) return tl::unexpected(login.error());
  if (!context.login_given) {
    if (auto found = require_login(*login); !found) return tl::unexpected(found.error());
  }

  Needs needs;
  // Its proxy in front of the agent's commands goes on to ours; so does codex's own traffic then. Otherwise the
  // network of the commands is cut or open.
  const bool filtered = context.network == NetworkMode::custom;
  needs.proxy = filtered ? ProxyUse::process : ProxyUse::none;
  if (filtered) needs.services.hosts = {"chatgpt.com", "ab.chatgpt.com", "auth.openai.com", "api.openai.com"};
  // Beside the session directory: below TMPDIR codex does not make the helpers that start its sandbox, and each
  // command fails. The login is a link, so that a token that codex refreshes reaches the user's file.
  PrivateHome home;
  home.name = "codex home";
  home.directory = "codex";
  home.beside = true;
  home.variable = "CODEX_HOME";
  home.links.push_back({"auth.json", std::move(*login)});
  needs.homes.push_back(std::move(home));
  return needs;
}

Result<Launch> CodexRuntime::plan(const LaunchContext& context) const {
  Launch launch;
  CommandLine line = command_line(context);
  launch.arguments = std::move(line.arguments);
  launch.own_arguments_at = line.sandbox_at;
  launch.standard_input = context.prompt;
  // codex looks for bwrap in PATH at every command, outside its sandbox.
  if (auto path = program_path::without_planted_programs(context))
    launch.variables.push_back({"PATH", std::move(*path)});
  const RunArguments& asked = context.arguments;
  if (asked.keep_session || asked.resume) {
    SessionRecord record;
    record.directory = private_home(context);
    record.entries = {"sessions"};
    record.id = asked.resume.value_or("");
    launch.record = std::move(record);
  }
  return launch;
}

Result<std::unique_ptr<Translator>> CodexRuntime::translator(const LaunchContext& context) const {
  TranslatorOptions options;
  options.model = context.arguments.model;
  options.resume = context.arguments.resume;
  options.home = private_home(context);
  options.sandboxed = context.sandboxed;
  if (context.sandboxed) options.sandbox_override = sandbox_override(context.arguments.extra);
  return std::make_unique<CodexTranslator>(std::move(options));
}

Result<LoginReport> CodexRuntime::login(const LoginContext& context) const { return check_login(context); }

}  // namespace agentrun::codex
