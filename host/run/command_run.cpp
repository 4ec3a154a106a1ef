#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <csignal>

#include "agentrun/host/run.hpp"
#include "process/check_runner.hpp"
#include "process/process_tree.hpp"
#include "run/facts.hpp"
#include "run/launch.hpp"
#include "run/outcome.hpp"
#include "run/report.hpp"

namespace agentrun::host {
namespace {

constexpr int refused = 125;
constexpr int not_executable = 126;
constexpr int not_found = 127;
constexpr int timed_out = 124;

class JsonLines final : public EventFormatter {
 public:
  void format(const Event& event, std::string& out) override {
    append_json(out, event);
    out += '\n';
  }
};

/// The command itself speaks to the caller: only network events are agentrun's business.
class CommandAudience final : public Audience {
 public:
  /// `stream` is null when nobody asked for events.
  CommandAudience(NetworkFeed& feed, EventStream* stream, OutputQueue& events)
      : feed_(feed), stream_(stream), events_(events) {}

  void on_output(std::string_view) override {}
  void on_error(std::string_view) override {}
  void on_wake() override {
    for (EventBody& event : feed_.take()) {
      if (stream_ != nullptr) stream_->emit(std::move(event));
    }
    events_.flush();
  }

 private:
  NetworkFeed& feed_;
  EventStream* stream_;
  OutputQueue& events_;
};

int fail(const Error& error, int code, const SignalSource& signals) {
  if (error.code == ErrorCode::interrupted && signals.first()) return signal_exit_code(*signals.first());
  complain(describe(error));
  return code;
}

Result<Descriptor> open_events(const std::optional<std::string>& target, const Caller& caller) {
  constexpr std::string_view by_number = "fd:";
  if (!target) return Descriptor();
  if (target->starts_with(by_number)) {
    const std::string_view digits = std::string_view(*target).substr(by_number.size());
    int number = -1;
    const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    Descriptor copy(read.ec == std::errc() && read.ptr == digits.data() + digits.size() && number >= 0
                        ? ::fcntl(number, F_DUPFD_CLOEXEC, 3)
                        : -1);
    if (copy.valid()) return copy;
    return failure(ErrorCode::usage, "--events " + *target + ": not an open descriptor",
                   "Open it in the shell (3>FILE), or name a file");
  }
  Descriptor file(::open((caller.cwd / *target).c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOCTTY, 0600));
  if (file.valid()) return file;
  return failure(ErrorCode::io, "--events " + *target + ": cannot be created (" + system_text(errno) + ")",
                 "Name a file in a directory that you may write");
}

/// ErrorCode::unavailable when there is such a file and it cannot be executed.
Result<std::filesystem::path> find_command(const Setting& setting, const std::string& name) {
  if (auto found = setting.search.find(name)) return *found;
  std::vector<std::filesystem::path> candidates{setting.cwd / name};
  if (name.find('/') == std::string::npos) {
    candidates.clear();
    for (const auto& directory : setting.search.directories()) candidates.push_back(directory / name);
  }
  for (const auto& candidate : candidates) {
    std::error_code error;
    if (!std::filesystem::exists(candidate, error)) continue;
    return failure(ErrorCode::unavailable, candidate.string() + " is not an executable file",
                   "Check its mode (chmod +x), or run it with its interpreter");
  }
  return failure(ErrorCode::not_found, "command '" + name + "' not found in PATH",
                 "Check the name, or add its directory with --path");
}

int code_of(const LaunchError& error) {
  if (error.at_gate) return refused;
  return error.error.code == ErrorCode::not_found ? not_found : not_executable;
}

class CommandRun {
 public:
  CommandRun(const ExecOptions& options, const Job& job, SignalSource& signals, NetworkFeed& feed, Descriptor events)
      : options_(options), job_(job), signals_(signals), feed_(feed), file_(std::move(events)), events_(file_.get()) {}

  int execute();

 private:
  Result<void> prepare(SandboxCheck check);
  tl::expected<Launched, LaunchError> start();
  int supervise(const Launched& launched);
  void take_back_terminal() const;
  void emit(EventBody body) {
    if (file_.valid()) stream_.emit(std::move(body));
  }
  int conclude(const Ending& ending);

  const ExecOptions& options_;
  const Job& job_;
  SignalSource& signals_;
  NetworkFeed& feed_;
  Descriptor file_;
  OutputQueue events_;
  JsonLines lines_;
  EventStream stream_{lines_, events_};
  std::vector<pid_t> spared_ = children_of(::getpid());
  /// A command on a terminal keeps it, and with it job control; anything else gets a session of its own.
  const bool terminal_ = ::isatty(STDIN_FILENO) == 1;
  std::optional<Setting> setting_;
  Workload workload_;
  std::optional<SandboxChoice> sandbox_;
  std::optional<SessionSpace> space_;
  std::optional<Confinement> confinement_;
};

int CommandRun::execute() {
  become_subreaper();
  auto setting = make_setting(options_.session, {}, job_.caller);
  if (!setting) return fail(setting.error(), refused, signals_);
  setting_ = std::move(*setting);
  auto command = find_command(*setting_, options_.command.front());
  if (!command) {
    return fail(command.error(), command.error().code == ErrorCode::not_found ? not_found : not_executable, signals_);
  }
  workload_.command = options_.command;
  workload_.command.front() = command->native();

  if (auto prepared = prepare(SandboxCheck::by_start); !prepared) return fail(prepared.error(), refused, signals_);
  if (options_.session.dry_run) return 0;
  auto launched = start();
  for (int attempt = 1; !launched && launched.error().at_gate && attempt < start_attempts; ++attempt) {
    // The separate check says why the sandbox does not stand, or finds what works here. Behind a good check something
    // that was to be covered has vanished meanwhile.
    if (auto prepared = prepare(SandboxCheck::before); !prepared) return fail(prepared.error(), refused, signals_);
    launched = start();
  }
  if (!launched) return fail(launched.error().error, code_of(launched.error()), signals_);
  remark(confinement_->ground.upstream_notes);
  if (confinement_->ground.note) complain(*confinement_->ground.note);
  return supervise(*launched);
}

Result<void> CommandRun::prepare(SandboxCheck check) {
  const SessionOptions& session = options_.session;
  CheckRunner services(setting_->search, setting_->writable(), setting_->environment.environment.to_block(), signals_);
  CheckRequest request;
  request.proxied = session.network != NetworkMode::none;
  request.with_versions = session.dry_run || session.debug;
  request.by_start = check == SandboxCheck::by_start && !request.with_versions;
  auto sandbox = choose_sandbox(*setting_, session, {"exec", {}, false}, job_.plugins, services, request);
  static_cast<void>(signals_.take());
  if (signals_.first()) return failure(ErrorCode::interrupted, "interrupted before the start");
  if (!sandbox) return tl::unexpected(sandbox.error());
  confinement_.reset();
  space_.reset();
  sandbox_ = std::move(*sandbox);

  auto space = SessionSpace::make(session, job_.caller);
  if (!space) return tl::unexpected(space.error());
  space_ = std::move(*space);
  auto ground = prepare_ground(*setting_, session, *sandbox_, *space_, {}, job_, feed_);
  if (!ground) return tl::unexpected(ground.error());
  auto confinement = confine(*setting_, *sandbox_, *space_, {}, std::move(*ground), workload_);
  if (!confinement) return tl::unexpected(confinement.error());
  confinement_ = std::move(*confinement);
  if (request.with_versions) {
    report_facts(job_.facts, *setting_, session, *sandbox_, *space_, *confinement_, {}, {}, confinement_->plan.argv);
  }
  return {};
}

tl::expected<Launched, LaunchError> CommandRun::start() {
  SpawnRequest request;
  request.cwd = setting_->cwd;
  request.group = terminal_ ? ProcessGroup::foreground : ProcessGroup::session;
  auto launched = launch(std::move(request), *confinement_, signals_);
  if (!launched) take_back_terminal();
  return launched;
}

void CommandRun::take_back_terminal() const {
  if (terminal_) ::tcsetpgrp(STDIN_FILENO, ::getpgrp());
}

int CommandRun::supervise(const Launched& launched) {
  StartEvent event = confinement_facts(*setting_, *sandbox_, *confinement_);
  event.runtime = "exec";
  event.argv = confinement_->plan.argv;
  emit(std::move(event));
  events_.flush();

  SupervisorOptions supervision;
  supervision.depth = confinement_->plan.depth;
  if (options_.session.timeout_seconds) {
    supervision.timeout = std::chrono::seconds(*options_.session.timeout_seconds);
  }
  supervision.spared = spared_;
  // The command has agentrun's own streams: there is nothing to pass on.
  OutputQueue no_output(-1);
  OutputQueue no_error(-1);
  CommandAudience audience(feed_, file_.valid() ? &stream_ : nullptr, events_);
  Supervisor supervisor(launched.pid, {}, std::move(supervision), signals_, no_output, no_error, feed_.fd());
  const Ending ending = supervisor.run({}, audience);
  take_back_terminal();
  return conclude(ending);
}

int CommandRun::conclude(const Ending& ending) {
  if (confinement_->ground.proxy) confinement_->ground.proxy->stop();
  for (EventBody& event : feed_.take()) emit(std::move(event));
  OutputQueue error(STDERR_FILENO);
  report_removal(space_->remove(), error);
  error.flush();
  const Outcome outcome = judge({ending, confinement_->plan.depth > 0, {}, {}, {}, {}});
  EndEvent end;
  end.status = outcome.status;
  end.exit_code = outcome.exit_code;
  end.detail = outcome.detail;
  end.duration = since(job_.began);
  emit(std::move(end));
  events_.drain(signals_);
  if (ending.interrupted_by) return signal_exit_code(*ending.interrupted_by);
  if (ending.timed_out) return timed_out;
  return ending.exit_code ? *ending.exit_code : signal_exit_code(ending.signal.value_or(SIGKILL));
}

}  // namespace

int run_command(const ExecOptions& options, const Job& job) {
  auto signals = SignalSource::open();
  auto feed = NetworkFeed::make();
  if (!signals || !feed) {
    complain(describe(signals ? feed.error() : signals.error()));
    return refused;
  }
  auto events = open_events(options.events, job.caller);
  if (!events) return fail(events.error(), refused, *signals);
  return CommandRun(options, job, *signals, **feed, std::move(*events)).execute();
}

}  // namespace agentrun::host
