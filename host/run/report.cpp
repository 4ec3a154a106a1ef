#include "run/report.hpp"

#include <unistd.h>

#include "agentrun/text.hpp"
#include "run/outcome.hpp"

namespace agentrun::host {

std::chrono::milliseconds since(std::chrono::steady_clock::time_point began) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - began);
}

void complain(const std::string& text) {
  OutputQueue error(STDERR_FILENO);
  error.push("agentrun: " + text + "\n");
  error.flush();
}

void remark(const std::vector<std::string>& notes) {
  OutputQueue error(STDERR_FILENO);
  for (const std::string& note : notes) error.push("[note] " + note + "\n");
  error.flush();
}

int refuse(const Error& error, std::chrono::steady_clock::time_point began, const SignalSource& signals,
           EventStream& stream, OutputQueue& output) {
  const bool interrupted = error.code == ErrorCode::interrupted && signals.first();
  EndEvent end;
  end.status = interrupted ? RunStatus::interrupted : RunStatus::rejected;
  if (!interrupted) end.detail = describe(error);
  end.duration = since(began);
  stream.emit(end);
  output.flush();
  if (!interrupted) complain(end.detail);
  return exit_code_of(end.status, signals.first());
}

StartEvent confinement_facts(const Setting& setting, const SandboxChoice& sandbox, const Confinement& confinement) {
  StartEvent event;
  event.sandbox = sandbox.traits.kind;
  event.network_mode = confinement.ground.policy.network().mode();
  for (const HostRule& rule : confinement.ground.policy.network().rules())
    event.network_allow.push_back(to_string(rule));
  event.network_enforced = confinement.ground.network_enforced;
  for (const auto& path : confinement.ground.policy.deny_read()) event.deny_read.push_back(path.native());
  event.cwd = setting.cwd.native();
  event.env = setting.environment.given;
  return event;
}

void report_removal(const Result<void>& removed, OutputQueue& error) {
  if (removed) return;
  error.push("agentrun: " + describe(removed.error()) + "\n");
}

}  // namespace agentrun::host
