#include "doctor/enclosure.hpp"

#include <fcntl.h>
#include <unistd.h>

#include "process/process_tree.hpp"
#include "process/supervisor.hpp"
#include "run/error_watch.hpp"
#include "run/facts.hpp"

namespace agentrun::host {
namespace {

constexpr std::size_t kept_bytes = 65536;

/// Keeps what a command says.
class Listener final : public Audience {
 public:
  Listener(StartFailureRule rule, NetworkFeed& feed) : errors_(std::move(rule)), feed_(feed) {}

  void on_output(std::string_view bytes) override {
    output_.append(bytes.substr(0, kept_bytes - std::min(kept_bytes, output_.size())));
  }
  void on_error(std::string_view bytes) override { errors_.feed(bytes); }
  void on_wake() override { static_cast<void>(feed_.take()); }

  [[nodiscard]] const std::string& output() const noexcept { return output_; }
  [[nodiscard]] const ErrorWatch& errors() const noexcept { return errors_; }

 private:
  std::string output_;
  ErrorWatch errors_;
  NetworkFeed& feed_;
};

/// A check does not make the user's directories: what is not there stays out.
void leave_out_missing_states(Needs& needs) {
  std::erase_if(needs.states, [](const StateDirectory& state) {
    std::error_code error;
    return !std::filesystem::is_directory(state.directory, error);
  });
}

Result<std::vector<Variable>> runtime_variables(const Examinee& examinee, const Needs& needs, SessionSpace& space) {
  auto homes = space.make_homes(needs.homes);
  if (!homes) return tl::unexpected(homes.error());
  std::vector<Variable> variables;
  for (const std::string& name : examinee.traits.scratch_variables) variables.push_back({name, space.path().native()});
  for (std::size_t at = 0; at < homes->size(); ++at) {  // later ones win
    if (!needs.homes[at].variable.empty()) variables.push_back({needs.homes[at].variable, (*homes)[at].native()});
  }
  return variables;
}

Error with_remedy(const std::string& cause) {
  return {ErrorCode::unavailable, cause, "agentrun exec --debug -- true shows what is started"};
}

}  // namespace

Enclosure::Enclosure(const Examinee& examinee, const Job& job, SignalSource& signals, NetworkFeed& feed,
                     Setting setting, SessionOptions options, Surroundings surroundings)
    : examinee_(examinee),
      job_(job),
      signals_(signals),
      feed_(feed),
      setting_(std::move(setting)),
      options_(std::move(options)),
      surroundings_(std::move(surroundings)) {}

Result<Enclosure> Enclosure::make(const Examinee& examinee, const std::optional<std::filesystem::path>& executable,
                                  const DoctorOptions& options, const Job& job, const Scratch& scratch,
                                  SignalSource& signals, NetworkFeed& feed) {
  auto cwd = scratch.directory("work");
  if (!cwd) return tl::unexpected(cwd.error());
  CheckRunner services = outside_commands(examinee.setting, scratch.path(), signals);
  NeedsContext context{examinee.arguments, examinee.setting.environment.environment, services};
  context.executable = executable.value_or("");
  context.cwd = examinee.setting.cwd;
  context.plugin_directory = examinee.plugin_directory;
  context.network = options.session.network;
  context.login_given = true;  // a missing one is found by its own check
  auto needs = examinee.runtime->needs(context);
  if (!needs) return tl::unexpected(needs.error());
  leave_out_missing_states(*needs);

  Setting setting = examinee.setting;
  setting.cwd = std::move(*cwd);
  const std::string reader = examinee.traits.reads_own_login ? examinee.name : "";
  return Enclosure(examinee, job, signals, feed, std::move(setting), options.session,
                   Surroundings{std::move(*needs), reader, examinee.traits.confines_itself});
}

Result<Enclosure::Prepared> Enclosure::prepare(const Choice& choose) const {
  SessionOptions unkept = options_;
  unkept.debug = false;  // nothing in there is worth keeping
  auto space = SessionSpace::make(unkept, job_.caller);
  if (!space) return tl::unexpected(space.error());
  auto ground = prepare_ground(setting_, unkept, *examinee_.sandbox, *space, surroundings_, job_, feed_);
  if (!ground) return tl::unexpected(ground.error());
  EnclosedCommand command = choose(*ground);
  Workload workload;
  workload.command = std::move(command.argv);
  if (command.as_runtime) {
    auto variables = runtime_variables(examinee_, surroundings_.needs, *space);
    if (!variables) return tl::unexpected(variables.error());
    workload.variables = std::move(*variables);
  }
  // Also for a runtime that confines itself: the backend's wrapper stands for what the runtime would start.
  Surroundings wrapped = surroundings_;
  wrapped.confines_itself = false;
  auto confinement = confine(setting_, *examinee_.sandbox, *space, wrapped, std::move(*ground), workload);
  if (!confinement) return tl::unexpected(confinement.error());
  return Prepared{std::move(*space), std::move(*confinement)};
}

tl::expected<EnclosedResult, LaunchError> Enclosure::run_once(const Choice& choose) {
  const auto failed = [](Error error) { return tl::unexpected(LaunchError{std::move(error)}); };
  auto prepared = prepare(choose);
  if (!prepared) return failed(prepared.error());
  Confinement& confinement = prepared->confinement;
  if (options_.debug && !std::exchange(told_, true)) {
    report_facts(job_.facts, setting_, options_, *examinee_.sandbox, prepared->space, confinement, {}, {},
                 confinement.plan.argv);
  }

  auto output = make_pipe();
  if (!output) return failed(output.error());
  auto error = make_pipe();
  if (!error) return failed(error.error());
  const Descriptor null(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  SpawnRequest request;
  request.cwd = setting_.cwd;
  request.standard_input = null.get();
  request.standard_output = output->write.get();
  request.standard_error = error->write.get();
  const std::vector<pid_t> spared = children_of(::getpid());
  auto launched = launch(std::move(request), confinement, signals_);
  if (!launched) return tl::unexpected(launched.error());
  output->write.reset();
  error->write.reset();

  SupervisorOptions supervision;
  supervision.depth = confinement.plan.depth;
  supervision.timeout = command_limit;
  supervision.spared = spared;
  OutputQueue no_output(-1);
  OutputQueue no_error(-1);
  Listener listener(examinee_.sandbox->backend->start_failure(), feed_);
  Supervisor supervisor(launched->pid, {{}, std::move(output->read), std::move(error->read)}, std::move(supervision),
                        signals_, no_output, no_error, feed_.fd());
  const Ending ending = supervisor.run({}, listener);
  if (ending.interrupted_by) return failed({ErrorCode::interrupted, "interrupted", {}});
  if (ending.timed_out) return failed(with_remedy("a command in the sandbox did not end in time"));
  if (const auto reason = listener.errors().start_failure(ending.exit_code)) {
    return failed(with_remedy("sandbox failed to start: " + *reason));
  }
  return EnclosedResult{ending.exit_code, listener.output(), listener.errors().tail(), confinement.ground.note};
}

Result<EnclosedResult> Enclosure::run(const Choice& choose) {
  for (int attempt = 1;; ++attempt) {
    auto result = run_once(choose);
    if (result) return std::move(*result);
    if (!result.error().at_gate || attempt == start_attempts) return tl::unexpected(result.error().error);
  }
}

}  // namespace agentrun::host
