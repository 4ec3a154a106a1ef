#include "run/outcome.hpp"

namespace agentrun::host {
namespace {

/// The highest signal number that a wrapper could have added to 128.
constexpr int last_signal = 64;

std::string fallback_detail(const Findings& findings) {
  if (!findings.error_tail.empty()) return findings.error_tail;
  if (findings.ending.exit_code) return "runtime exited with code " + std::to_string(*findings.ending.exit_code);
  if (findings.ending.signal) return "runtime was ended by signal " + std::to_string(*findings.ending.signal);
  return "runtime failed without saying why";
}

/// Absent when the run has not failed.
std::optional<std::string> failure_detail(const Findings& findings) {
  if (findings.stop_reason) return findings.stop_reason;
  if (findings.start_failure) return "sandbox failed to start: " + *findings.start_failure;
  if (findings.verdict.status == Verdict::Status::failed) {
    return findings.verdict.detail.empty() ? fallback_detail(findings) : findings.verdict.detail;
  }
  if (findings.ending.exit_code != 0) return fallback_detail(findings);
  return std::nullopt;
}

}  // namespace

std::optional<int> wrapped_signal(const Ending& ending, bool wrapped) noexcept {
  const int code = ending.exit_code.value_or(0);
  if (!wrapped || code <= signal_exit_code(0) || code > signal_exit_code(last_signal)) return std::nullopt;
  return code - signal_exit_code(0);
}

Outcome judge(const Findings& findings) {
  Outcome outcome;
  if (!wrapped_signal(findings.ending, findings.wrapped)) outcome.exit_code = findings.ending.exit_code;
  if (findings.ending.interrupted_by) {
    outcome.status = RunStatus::interrupted;
  } else if (findings.ending.timed_out) {
    outcome.status = RunStatus::timeout;
  } else if (findings.verdict.status == Verdict::Status::limit) {
    outcome.status = RunStatus::limit;
  } else if (auto detail = failure_detail(findings)) {
    outcome.status = RunStatus::failed;
    outcome.detail = std::move(*detail);
  } else {
    outcome.detail = findings.verdict.detail;
  }
  return outcome;
}

int exit_code_of(RunStatus status, std::optional<int> interrupted_by) noexcept {
  switch (status) {
    case RunStatus::finished:
      return 0;
    case RunStatus::failed:
      return 1;
    case RunStatus::rejected:
      return 2;
    case RunStatus::timeout:
      return 3;
    case RunStatus::limit:
      return 4;
    case RunStatus::interrupted:
      return signal_exit_code(interrupted_by.value_or(2));
  }
  return 1;
}

}  // namespace agentrun::host
