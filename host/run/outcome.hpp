#pragma once
// How a run ended, decided from what was seen. Pure.

#include <optional>
#include <string>

#include "agentrun/event.hpp"
#include "agentrun/runtime.hpp"
#include "process/supervisor.hpp"

namespace agentrun::host {

struct Findings {
  Ending ending;
  bool wrapped = false;                      ///< a wrapper reports a signal n as exit code 128 + n
  std::optional<std::string> stop_reason;    ///< the translator gave up on the run
  std::optional<std::string> start_failure;  ///< the wrapper's own line, without its prefix
  Verdict verdict;
  std::string error_tail;  ///< the last 500 characters of standard error
};

struct Outcome {
  RunStatus status = RunStatus::finished;
  std::optional<int> exit_code;
  std::string detail;
};

/// First that holds: interrupted, timeout, limit, failed, finished.
[[nodiscard]] Outcome judge(const Findings& findings);

/// The signal behind a wrapper's exit code 128 + n.
[[nodiscard]] std::optional<int> wrapped_signal(const Ending& ending, bool wrapped) noexcept;

/// Of agentrun itself.
[[nodiscard]] int exit_code_of(RunStatus status, std::optional<int> interrupted_by) noexcept;

/// A shell's convention for a process that a signal ended.
[[nodiscard]] constexpr int signal_exit_code(int signal) noexcept { return 128 + signal; }

/// What exec's reader sees when standard output is closed early, as a shell reports a process that SIGPIPE ended.
inline constexpr int reader_gone_exit_code = 141;

}  // namespace agentrun::host
