#include <fcntl.h>
#include <unistd.h>

#include "agentrun/abi.hpp"
#include "agentrun/host/run.hpp"
#include "process/process_tree.hpp"
#include "run/agent_plan.hpp"
#include "run/agent_session.hpp"
#include "run/launch.hpp"
#include "run/outcome.hpp"
#include "run/report.hpp"

namespace agentrun::host {
namespace {

struct Started {
  Launched launched;
  ChildStreams streams;
};

tl::unexpected<LaunchError> no_pipe(const Error& error) { return tl::unexpected(LaunchError{error}); }

tl::expected<Started, LaunchError> start(AgentPlan& plan, SignalSource& signals) {
  auto output = make_pipe();
  if (!output) return no_pipe(output.error());
  auto error = make_pipe();
  if (!error) return no_pipe(error.error());
  Pipe input;
  if (plan.launch.standard_input.empty()) {
    input.read.reset(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  } else if (auto made = make_pipe()) {
    input = std::move(*made);
  } else {
    return no_pipe(made.error());
  }
  SpawnRequest request;
  request.cwd = plan.setting.cwd;
  request.standard_input = input.read.get();
  request.standard_output = output->write.get();
  request.standard_error = error->write.get();
  auto launched = launch(std::move(request), plan.confinement, signals);
  if (!launched) return tl::unexpected(std::move(launched.error()));
  return Started{std::move(*launched), {std::move(input.write), std::move(output->read), std::move(error->read)}};
}

struct Ready {
  AgentPlan plan;
  std::optional<Started> started;  ///< absent in a dry run
};

/// The run's own start is the check of its sandbox. When it does not stand, the separate check says why, or finds what
/// works here, and the run is planned again. A file that was to be covered and vanished meanwhile is another reason: so
/// a start that fails behind a good check is tried again.
Result<Ready> prepare(const RunOptions& options, const Job& job, SignalSource& signals, NetworkFeed& feed) {
  RunOptions again = options;
  SandboxCheck check = SandboxCheck::by_start;
  for (int attempt = 1;; ++attempt) {
    auto plan = plan_agent(again, job, check, signals, feed);
    if (!plan) return tl::unexpected(plan.error());
    if (options.session.dry_run) return Ready{std::move(*plan), {}};
    auto started = start(*plan, signals);
    if (started) return Ready{std::move(*plan), std::move(*started)};
    if (!started.error().at_gate || attempt == start_attempts) return tl::unexpected(started.error().error);
    again.prompt = std::move(plan->prompt);  // standard input can be read only once
    again.prompt_file.reset();
    check = SandboxCheck::before;
  }
}

StartEvent start_event(const RunOptions& options, const AgentPlan& plan) {
  StartEvent event = confinement_facts(plan.setting, plan.sandbox, plan.confinement);
  event.runtime = options.runtime;
  event.model = options.arguments.model;
  event.argv = plan.shown_argv;
  return event;
}

SupervisorOptions supervision(const RunOptions& options, const AgentPlan& plan, std::vector<pid_t> spared) {
  SupervisorOptions result;
  result.depth = plan.confinement.plan.depth;
  if (options.session.timeout_seconds) result.timeout = std::chrono::seconds(*options.session.timeout_seconds);
  result.spared = std::move(spared);
  return result;
}

/// The id of the session when its record was saved.
std::optional<std::string> save_session(const RunOptions& options, AgentPlan& plan, const Outcome& outcome,
                                        const Verdict& verdict, OutputQueue& error) {
  if (!plan.saved || !plan.launch.record) return std::nullopt;
  SessionNote note;
  note.id = plan.launch.record->id.empty() ? verdict.session.value_or("") : plan.launch.record->id;
  const auto& resumed = options.arguments.resume;
  if (note.id.empty() || (resumed && note.id != *resumed)) return std::nullopt;
  note.cwd = plan.setting.cwd.native();
  note.model = options.arguments.model;
  note.status = to_string(outcome.status);
  note.agentrun = AGENTRUN_VERSION;
  const std::string id = note.id;
  const auto saved = plan.saved->save(*plan.launch.record, std::move(note));
  plan.saved.reset();
  if (saved) return *saved ? std::optional(id) : std::nullopt;
  error.push("agentrun: " + describe(saved.error()) + "\n");
  return std::nullopt;
}

EndEvent end_event(const Outcome& outcome, const Verdict& verdict, Aggregator::Totals totals, const Job& job) {
  EndEvent end;
  end.status = outcome.status;
  end.exit_code = outcome.exit_code;
  end.detail = outcome.detail;
  end.duration = since(job.began);
  end.usage = verdict.usage.value_or(std::move(totals.usage));
  end.result = std::move(totals.result);
  return end;
}

/// From the start of the process to the `end` event.
int converse(const RunOptions& options, const Job& job, Ready& ready, std::vector<pid_t> spared, SignalSource& signals,
             NetworkFeed& feed, EventStream& stream, OutputQueue& output, OutputQueue& error) {
  AgentPlan& plan = ready.plan;
  Started& started = *ready.started;
  stream.emit(start_event(options, plan));
  remark(plan.confinement.ground.upstream_notes);
  if (plan.confinement.ground.note) stream.emit(NoteEvent{*plan.confinement.ground.note});
  if (!plan.traits.echoes_prompt) stream.emit(PromptEvent{plan.prompt});

  const bool unwrapped = plan.surroundings.confines_itself;
  ErrorWatch watch(unwrapped ? StartFailureRule{} : plan.sandbox.backend->start_failure());
  AgentSession session(*plan.translator, stream, error, feed, std::move(watch), std::move(plan.raw));
  Supervisor supervisor(started.launched.pid, std::move(started.streams), supervision(options, plan, std::move(spared)),
                        signals, output, error, feed.fd());
  session.attach(supervisor);
  const Ending ending = supervisor.run(plan.launch.standard_input, session);

  const bool wrapped = plan.confinement.plan.depth > 0;
  const Verdict verdict = session.finish(ending, wrapped);
  if (plan.confinement.ground.proxy) plan.confinement.ground.proxy->stop();
  session.on_wake();
  const Outcome outcome = judge({ending, wrapped, session.stop_reason(),
                                 session.errors().start_failure(ending.exit_code), verdict, session.errors().tail()});
  EndEvent end = end_event(outcome, verdict, session.totals(), job);
  end.session = save_session(options, plan, outcome, verdict, error);
  report_removal(plan.space.remove(), error);
  stream.emit(std::move(end));
  error.drain(signals);
  output.drain(signals);
  if (ending.reader_gone || output.broken()) return reader_gone_exit_code;
  return exit_code_of(outcome.status, ending.interrupted_by);
}

}  // namespace

int run_agent(const RunOptions& options, const Job& job, EventFormatter& formatter) {
  OutputQueue output(STDOUT_FILENO);
  OutputQueue error(STDERR_FILENO);
  EventStream stream(formatter, output);
  auto signals = SignalSource::open();
  if (!signals) return reject(describe(signals.error()), job.began, formatter);
  auto feed = NetworkFeed::make();
  if (!feed) return reject(describe(feed.error()), job.began, formatter);
  become_subreaper();
  std::vector<pid_t> spared = children_of(::getpid());

  auto ready = prepare(options, job, *signals, **feed);
  if (!ready) return refuse(ready.error(), job.began, *signals, stream, output);
  if (!ready->started) return 0;
  if (!ready->plan.sandbox.missing.empty()) formatter.sandbox_missing(ready->plan.sandbox.missing);
  return converse(options, job, *ready, std::move(spared), *signals, **feed, stream, output, error);
}

int reject(const std::string& detail, std::chrono::steady_clock::time_point began, EventFormatter& formatter) {
  OutputQueue output(STDOUT_FILENO);
  EventStream stream(formatter, output);
  EndEvent end;
  end.status = RunStatus::rejected;
  end.detail = detail;
  end.duration = since(began);
  stream.emit(std::move(end));
  output.flush();
  complain(detail);
  return exit_code_of(RunStatus::rejected, std::nullopt);
}

}  // namespace agentrun::host
