#include "runtime.hpp"

#include <algorithm>
#include <array>
#include <iterator>

#include "agentrun/path.hpp"
#include "patch.hpp"
#include "services.hpp"
#include "translator.hpp"

namespace agentrun::dsh {

namespace {

constexpr std::array<std::string_view, 4> efforts = {"off", "low", "high", "max"};

std::filesystem::path runner_beside(const std::filesystem::path& plugin_directory) {
  // Installed beside the directory of the plugins, so that no PATH decides which module it is.
  return (plugin_directory / ".." / "agentrun-dsh-runner.mjs").lexically_normal();
}

/// The user's own DSH_HOME, which the run does not use.
std::optional<std::filesystem::path> user_home(const NeedsContext& context) {
  if (const auto named = context.environment.get_nonempty("DSH_HOME")) return absolute_from(context.cwd, *named);
  const auto home = context.environment.get_nonempty("HOME");
  if (!home) return std::nullopt;
  return absolute_from(context.cwd, *home) / ".dsh";
}

std::vector<Variable> variables(const Environment& environment) {
  std::vector<Variable> set = {
      // Its own sandbox inside the backend's breaks: /tmp is gone after each command.
      {"DSH_PERMISSION_MODE", "danger-full-access"},
      {"DSH_TELEMETRY_DISABLED", "1"},
      // Without it node does not look at the proxy variables, and with it node warns that it is new.
      {"NODE_USE_ENV_PROXY", "1"},
      {"NODE_NO_WARNINGS", "1"},
  };
  // dsh takes an empty address as it is.
  if (environment.get(base_url_variable) == "") set.push_back({base_url_variable, default_base_url});
  return set;
}

}  // namespace

RuntimeTraits DshRuntime::traits() const {
  RuntimeTraits traits;
  traits.executable = "dsh";
  traits.keeps_sessions = true;
  traits.echoes_prompt = true;
  traits.removed_variables = {"DSH_HOME", "DSH_AGENTS_HOME"};
  traits.oldest_version = "0.1.0-rc.8";
  traits.scratch_variables = {"DSH_HOME", "DSH_AGENTS_HOME"};
  traits.install_command = "npm install -g @deepseek-ai/dsh";
  return traits;
}

Result<void> DshRuntime::check(const RunArguments& arguments) const {
  if (arguments.effort && std::ranges::find(efforts, *arguments.effort) == efforts.end()) {
    return failure(ErrorCode::usage, "--effort for dsh must be off, low, high or max, got '" + *arguments.effort + "'");
  }
  return {};
}

Result<Needs> DshRuntime::needs(const NeedsContext& context) const {
  Needs needs;
  needs.services = service_hosts(context.environment);
  // dsh rewrites its home at each start, and an empty one keeps the user's instructions and skills out.
  needs.homes = {{"dsh home", "dsh-home", false, "DSH_HOME", {}},
                 {"dsh agents home", "dsh-agents-home", false, "DSH_AGENTS_HOME", {}}};
  // The keys that the user gave to dsh. This run takes its key from the environment.
  if (const auto home = user_home(context)) needs.hide = {*home / ".credentials.yaml"};
  return needs;
}

Result<Launch> DshRuntime::plan(const LaunchContext& context) const {
  const RunArguments& asked = context.arguments;
  Patch patch;
  patch.runner = runner_beside(context.plugin_directory);
  patch.session = asked.resume.value_or(context.session_id);
  patch.resume = asked.resume.has_value();
  patch.subagents = asked.subagents;
  patch.model = asked.model;
  patch.effort = asked.effort;

  Launch launch;
  const std::filesystem::path file = context.session_directory / "dsh-patch.json";
  launch.files.push_back({file, patch_text(patch)});
  launch.arguments = {"--profile", "headless", "--patch", file.string()};
  std::ranges::copy(asked.extra, std::back_inserter(launch.arguments));
  // In the place of the task, which the runner reads from standard input: any length, and not for others to see.
  launch.arguments.emplace_back("-");
  launch.standard_input = context.prompt;
  launch.variables = variables(context.environment);
  if (asked.keep_session || patch.resume) {
    launch.record = SessionRecord{context.homes.front() / "sessions", {}, patch.session};
  }
  return launch;
}

Result<std::unique_ptr<Translator>> DshRuntime::translator(const LaunchContext& context) const {
  return std::make_unique<DshTranslator>(context.cwd);
}

Result<LoginReport> DshRuntime::login(const LoginContext& context) const {
  if (context.environment.get_nonempty(key_variable)) return LoginReport{LoginReport::Status::ok, {}};
  return LoginReport{LoginReport::Status::failed,
                     std::string(key_variable) + " is not set in the session environment. Export it, or pass it with " +
                         "--env " + key_variable + " or --env-file"};
}

}  // namespace agentrun::dsh
