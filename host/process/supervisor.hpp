#pragma once
// Sees one process from its start to the end of everything it left behind: streams, signals, timeout, grace, kill.

#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "process/output_queue.hpp"
#include "process/signals.hpp"
#include "system/descriptor.hpp"

namespace agentrun::host {

/// The other ends of the process's streams; an invalid one is not watched.
struct ChildStreams {
  Descriptor input;
  Descriptor output;
  Descriptor error;
};

struct SupervisorOptions {
  /// Signals go to the process that many levels below the spawned one (a wrapper may not pass them on), else to
  /// the group.
  unsigned depth = 0;
  std::optional<std::chrono::milliseconds> timeout;
  std::chrono::milliseconds grace = std::chrono::seconds(5);    ///< from the first signal to SIGKILL
  std::chrono::milliseconds drain = std::chrono::seconds(1);    ///< reading what is left after the end
  std::chrono::milliseconds reaping = std::chrono::seconds(2);  ///< for killed processes to be gone
  std::vector<pid_t> spared;                                    ///< children of agentrun from before the run
};

/// How it ended. Decided by what agentrun saw, not by the exit code.
struct Ending {
  std::optional<int> exit_code;       ///< of the spawned process
  std::optional<int> signal;          ///< that killed the spawned process
  std::optional<int> interrupted_by;  ///< the first ending signal that agentrun got
  bool timed_out = false;
  bool reader_gone = false;  ///< standard output was closed by whoever read it
};

/// What happens with the process's output. Called from Supervisor::run().
class Audience {
 public:
  virtual void on_output(std::string_view bytes) = 0;
  virtual void on_error(std::string_view bytes) = 0;
  /// The wake descriptor was readable.
  virtual void on_wake() = 0;

 protected:
  ~Audience() = default;
};

class Supervisor {
 public:
  /// `pid` leads its own group and is not reaped yet. `output` and `error` are agentrun's own streams: when one is
  /// full, nothing more is read from the process. `wake` is polled for reading; -1 for none.
  Supervisor(pid_t pid, ChildStreams streams, SupervisorOptions options, SignalSource& signals, OutputQueue& output,
             OutputQueue& error, int wake);

  /// `input` is written to the process's standard input, which is then closed.
  [[nodiscard]] Ending run(std::string_view input, Audience& audience);

  /// From an Audience: the run makes no sense any more; kills the group.
  void kill() noexcept;

 private:
  using Clock = std::chrono::steady_clock;

  void handle_signals();
  void begin_ending(int signal);
  void signal_program(int signal);
  bool child_has_ended();
  void collect();
  void write_input(std::string_view& input);
  bool read_from(Descriptor& stream, Audience& audience, bool is_error);
  void drain_streams(Audience& audience);
  [[nodiscard]] int poll_timeout() const;
  void check_deadlines();

  pid_t pid_;
  ChildStreams streams_;
  SupervisorOptions options_;
  SignalSource& signals_;
  OutputQueue& output_;
  OutputQueue& error_;
  int wake_;
  Ending ending_;
  std::optional<Clock::time_point> timeout_at_;
  std::optional<Clock::time_point> kill_at_;
  bool killed_ = false;
  std::string chunk_;
};

}  // namespace agentrun::host
