#pragma once
// Starts a planned command and watches it, as the host would, but small.

#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace agentrun::testing {

struct SpawnOptions {
  std::vector<std::string> environment;  ///< NAME=VALUE, the whole of it
  std::string input;                     ///< standard input, then end of file
  std::string third = {};                ///< what descriptor 3 reads; not there when it is empty
};

struct Exited {
  std::optional<int> code;  ///< absent when a signal ended it
  int signal = 0;
  std::string out;
  std::string err;
  bool out_ended = false;  ///< nobody holds standard output any more
};

/// A child in a session of its own with only the descriptors 0, 1, 2; killed with everything in its group on
/// destruction.
class BackendProcess {
 public:
  BackendProcess(const std::vector<std::string>& argv, const SpawnOptions& options);
  BackendProcess(const BackendProcess&) = delete;
  BackendProcess& operator=(const BackendProcess&) = delete;
  ~BackendProcess();

  [[nodiscard]] pid_t pid() const noexcept { return pid_; }
  void kill(int signal) const;

  /// Until standard output contains `text`; false when it ends before or after 20 s.
  [[nodiscard]] bool said(std::string_view text);
  /// Until the process has ended and its standard output too; at most 20 s, after which `out_ended` tells.
  [[nodiscard]] Exited wait();

 private:
  using Clock = std::chrono::steady_clock;

  /// Moves what is there; false when the time is over.
  bool step(Clock::time_point deadline);
  void reap(bool block);

  pid_t pid_ = -1;
  int in_ = -1;
  int out_ = -1;
  int err_ = -1;
  std::string input_;
  std::optional<int> status_;
  Exited exited_;
};

}  // namespace agentrun::testing
