#include "run/agent_plan.hpp"

#include <unistd.h>

#include "process/check_runner.hpp"
#include "run/facts.hpp"
#include "run/login.hpp"
#include "session/credentials.hpp"
#include "session/images.hpp"
#include "session/private_directories.hpp"
#include "session/prompt.hpp"
#include "session/uuid.hpp"
#include "system/descriptor.hpp"

namespace agentrun::host {
namespace {

Result<void> go_on(SignalSource& signals) {
  static_cast<void>(signals.take());
  if (signals.first()) return failure(ErrorCode::interrupted, "interrupted before the start");
  return {};
}

Result<void> check_arguments(const RunOptions& options, const RuntimeTraits& traits, const Runtime& runtime) {
  const auto cannot = [&](const char* option) {
    return failure(ErrorCode::usage, std::string(option) + ": " + options.runtime + " cannot do that",
                   "Leave the option out");
  };
  if (options.arguments.max_turns && !traits.limits_turns) return cannot("--max-turns");
  if (!options.images.empty() && !traits.takes_images) return cannot("--image");
  if (options.arguments.model && !traits.takes_model) return cannot("--model");
  if (options.arguments.effort && !traits.takes_effort) return cannot("--effort");
  if (options.session_directory && !traits.keeps_sessions) return cannot("--session-dir");
  return runtime.check(options.arguments);
}

Result<std::optional<SavedSession>> open_saved(const RunOptions& options, const Caller& caller) {
  if (!options.session_directory) return std::nullopt;
  const auto directory = absolute_from(caller.cwd, *options.session_directory);
  const auto& resume = options.arguments.resume;
  if (!resume && options.session.dry_run) return std::nullopt;
  auto saved = resume ? SavedSession::resume(directory, options.runtime, *resume)
                      : SavedSession::create(directory, options.runtime);
  if (!saved) return tl::unexpected(saved.error());
  return std::optional<SavedSession>(std::move(*saved));
}

bool gives_login(const std::string& runtime, const Setting& setting) {
  const auto login = login_file_of(runtime);
  return login && setting.environment.credentials.contains(login->variable);
}

/// A wrapper can only open a state directory that is there, and inside the sandbox the agent could not make it.
Result<void> make_state_directories(const Needs& needs) {
  for (const StateDirectory& state : needs.states) {
    if (const int error = make_private_directories(state.directory); error != 0) {
      return failure(ErrorCode::io,
                     "cannot make the state directory " + state.directory.string() + " (" + system_text(error) + ")",
                     "Check the permissions of its parent");
    }
  }
  return {};
}

std::string shown_prompt(const std::string& prompt) { return "<prompt " + std::to_string(prompt.size()) + " bytes>"; }

Result<std::vector<RawFile>> open_raw(const RunOptions& options, const Caller& caller, const SessionSpace& space) {
  std::vector<RawFile> files;
  const auto open = [&](const std::filesystem::path& path) -> Result<void> {
    auto file = RawFile::create(path);
    if (!file) return tl::unexpected(file.error());
    files.push_back(std::move(*file));
    return {};
  };
  if (options.session.dry_run) return files;
  if (options.raw) {
    if (auto opened = open(caller.cwd / *options.raw); !opened) return tl::unexpected(opened.error());
  }
  if (options.session.debug) {
    if (auto opened = open(space.path() / "raw.jsonl"); !opened) return tl::unexpected(opened.error());
  }
  return files;
}

Workload workload_of(const Launch& launch, const Needs& needs, const std::vector<std::filesystem::path>& homes,
                     const std::filesystem::path& executable) {
  Workload workload;
  workload.command.push_back(executable.native());
  workload.command.insert(workload.command.end(), launch.arguments.begin(), launch.arguments.end());
  for (std::size_t at = 0; at < homes.size(); ++at) {
    if (!needs.homes[at].variable.empty()) workload.variables.push_back({needs.homes[at].variable, homes[at].native()});
  }
  workload.variables.insert(workload.variables.end(), launch.variables.begin(), launch.variables.end());
  workload.files = launch.files;
  workload.own_arguments_at = launch.own_arguments_at;
  return workload;
}

}  // namespace

Result<AgentPlan> plan_agent(const RunOptions& options, const Job& job, SandboxCheck check, SignalSource& signals,
                             NetworkFeed& feed) {
  const SessionOptions& session = options.session;

  // The runtime first: its traits decide what the session environment loses.
  std::vector<std::filesystem::path> writable{job.caller.cwd};
  if (session.cwd) writable = {absolute_from(job.caller.cwd, *session.cwd)};
  auto runtime = job.plugins.open_runtime(options.runtime, writable);
  if (!runtime) return tl::unexpected(runtime.error().error);
  const RuntimeTraits traits = (*runtime)->traits();
  if (auto checked = check_arguments(options, traits, **runtime); !checked) return tl::unexpected(checked.error());

  auto setting = make_setting(session, traits, job.caller);
  if (!setting) return tl::unexpected(setting.error());
  auto prompt = read_prompt(options.prompt, options.prompt_file, STDIN_FILENO, signals.fd());
  if (!prompt) {
    static_cast<void>(signals.take());
    return tl::unexpected(prompt.error());
  }
  auto saved = open_saved(options, job.caller);
  if (!saved) return tl::unexpected(saved.error());
  const auto images = check_images(options.images, job.caller.cwd);
  if (!images) return tl::unexpected(images.error());
  std::filesystem::path executable;
  if (!traits.executable.empty()) {
    auto found = setting->search.find_runtime(traits.executable, setting->writable());
    if (!found) return tl::unexpected(found.error());
    executable = std::move(*found);
  }

  CheckRunner services(setting->search, setting->writable(), setting->environment.environment.to_block(), signals);
  CheckRequest request;
  request.proxied = true;
  request.with_versions = session.dry_run || session.debug;
  request.by_start = check == SandboxCheck::by_start && !request.with_versions;
  auto sandbox = choose_sandbox(*setting, session, {options.runtime, traits.backends, traits.confines_itself},
                                job.plugins, services, request);
  if (auto going = go_on(signals); !going) return tl::unexpected(going.error());
  if (!sandbox) return tl::unexpected(sandbox.error());

  const std::filesystem::path plugin_directory =
      job.plugins.directory_of(PluginKind::runtime, options.runtime).value_or("");
  auto needs = (*runtime)->needs({options.arguments, setting->environment.environment, services, executable,
                                  setting->cwd, plugin_directory, session.network, sandbox->running(),
                                  gives_login(options.runtime, *setting)});
  if (auto going = go_on(signals); !going) return tl::unexpected(going.error());
  if (!needs) return tl::unexpected(needs.error());
  Surroundings surroundings{std::move(*needs), traits.reads_own_login ? options.runtime : "", traits.confines_itself};

  auto space = SessionSpace::make(session, job.caller);
  if (!space) return tl::unexpected(space.error());
  auto copies = *images;
  if (space->exists()) {
    if (auto written = write_login(options.runtime, *setting, session.debug ? &job.facts : nullptr); !written) {
      return tl::unexpected(written.error());
    }
    auto copied = copy_images(*images, space->path());
    if (!copied) return tl::unexpected(copied.error());
    copies = std::move(*copied);
    if (auto made = make_state_directories(surroundings.needs); !made) return tl::unexpected(made.error());
  }
  auto homes = space->make_homes(surroundings.needs.homes);
  if (!homes) return tl::unexpected(homes.error());
  auto ground = prepare_ground(*setting, session, *sandbox, *space, surroundings, job, feed);
  if (!ground) return tl::unexpected(ground.error());

  const auto session_id = random_uuid();
  if (!session_id) return tl::unexpected(session_id.error());
  const LaunchContext context{options.arguments,
                              *prompt,
                              setting->environment.environment,
                              ground->policy,
                              services,
                              ground->access,
                              executable,
                              setting->cwd,
                              space->path(),
                              plugin_directory,
                              std::move(copies),
                              *homes,
                              session.dry_run ? "<session id>" : *session_id,
                              sandbox->running(),
                              setting->search.text()};
  auto launch = (*runtime)->plan(context);
  if (!launch) return tl::unexpected(launch.error());
  auto translator = (*runtime)->translator(context);
  if (!translator) return tl::unexpected(translator.error());
  if (launch->executable) executable = *launch->executable;
  if (*saved && launch->record && space->exists()) {
    if (auto placed = (*saved)->place(*launch->record); !placed) return tl::unexpected(placed.error());
  }

  auto confinement = confine(*setting, *sandbox, *space, surroundings, std::move(*ground),
                             workload_of(*launch, surroundings.needs, *homes, executable));
  if (!confinement) return tl::unexpected(confinement.error());
  auto raw = open_raw(options, job.caller, *space);
  if (!raw) return tl::unexpected(raw.error());

  std::vector<std::string> shown = confinement->plan.argv;
  if (launch->prompt_argument) {
    shown[confinement->plan.command_at + 1 + *launch->prompt_argument] = shown_prompt(*prompt);
  }
  if (session.debug || session.dry_run) {
    report_facts(job.facts, *setting, session, *sandbox, *space, *confinement, surroundings.needs.homes, *homes, shown);
  }
  if (auto going = go_on(signals); !going) return tl::unexpected(going.error());
  return AgentPlan{std::move(*setting), std::move(*space),      std::move(*runtime),     traits,
                   std::move(*prompt),  std::move(*sandbox),    std::move(surroundings), std::move(*saved),
                   std::move(*launch),  std::move(*translator), std::move(*confinement), std::move(shown),
                   std::move(*raw)};
}

}  // namespace agentrun::host
