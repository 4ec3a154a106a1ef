#include "process/supervisor.hpp"

#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>

#include "process/process_tree.hpp"

namespace agentrun::host {
namespace {

constexpr std::size_t chunk_size = std::size_t{64} << 10;

int milliseconds_until(std::chrono::steady_clock::time_point deadline) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
  return static_cast<int>(std::clamp<std::chrono::milliseconds::rep>(left.count(), 0, 1 << 30));
}

}  // namespace

Supervisor::Supervisor(pid_t pid, ChildStreams streams, SupervisorOptions options, SignalSource& signals,
                       OutputQueue& output, OutputQueue& error, int wake)
    : pid_(pid),
      streams_(std::move(streams)),
      options_(std::move(options)),
      signals_(signals),
      output_(output),
      error_(error),
      wake_(wake),
      chunk_(chunk_size, '\0') {
  if (options_.timeout) timeout_at_ = Clock::now() + *options_.timeout;
  for (const Descriptor* stream : {&streams_.input, &streams_.output, &streams_.error}) {
    if (stream->valid()) set_nonblocking(stream->get());
  }
}

Ending Supervisor::run(std::string_view input, Audience& audience) {
  if (input.empty()) streams_.input.reset();
  while (!child_has_ended()) {
    const bool paused = output_.full() || error_.full();
    const auto readable = [&](const Descriptor& stream) { return paused ? -1 : stream.get(); };
    // A descriptor of -1 is skipped by poll. Standard output is watched even with nothing to write: POLLERR tells
    // that its reader is gone.
    std::array<pollfd, 7> waits{{{signals_.fd(), POLLIN, 0},
                                 {readable(streams_.output), POLLIN, 0},
                                 {readable(streams_.error), POLLIN, 0},
                                 {streams_.input.get(), POLLOUT, 0},
                                 {wake_, POLLIN, 0},
                                 {output_.broken() ? -1 : output_.fd(), 0, 0},
                                 {error_.broken() || error_.empty() ? -1 : error_.fd(), POLLOUT, 0}}};
    if (!output_.empty()) waits[5].events = POLLOUT;
    if (::poll(waits.data(), waits.size(), poll_timeout()) < 0 && errno != EINTR) break;

    if (waits[0].revents != 0) handle_signals();
    if (waits[4].revents != 0) audience.on_wake();
    if (waits[1].revents != 0) read_from(streams_.output, audience, false);
    if (waits[2].revents != 0) read_from(streams_.error, audience, true);
    if (waits[3].revents != 0) write_input(input);
    if ((waits[5].revents & (POLLERR | POLLNVAL)) != 0) output_.mark_broken(EPIPE);
    output_.flush();
    error_.flush();
    if (output_.broken() && !ending_.reader_gone) {
      ending_.reader_gone = true;
      kill();
    }
    check_deadlines();
  }
  // Before the leader is reaped: its number still names its group.
  ::kill(-pid_, SIGKILL);
  collect();
  kill_descendants(options_.spared, options_.reaping);
  drain_streams(audience);
  if (wake_ >= 0) audience.on_wake();
  return ending_;
}

void Supervisor::kill() noexcept {
  if (killed_) return;
  killed_ = true;
  ::kill(-pid_, SIGKILL);
}

void Supervisor::handle_signals() {
  for (const int signal : signals_.take().ending) {
    if (ending_.interrupted_by) {
      kill();
    } else {
      ending_.interrupted_by = signal;
      // During the grace after a timeout the process has been told already.
      if (!kill_at_) begin_ending(signal);
    }
  }
}

void Supervisor::begin_ending(int signal) {
  kill_at_ = Clock::now() + options_.grace;
  signal_program(signal);
}

void Supervisor::signal_program(int signal) {
  if (options_.depth > 0) {
    if (const auto program = descend(pid_, options_.depth)) {
      ::kill(*program, signal);
      return;
    }
  }
  ::kill(-pid_, signal);
}

void Supervisor::check_deadlines() {
  const auto now = Clock::now();
  if (timeout_at_ && now >= *timeout_at_) {
    timeout_at_.reset();
    if (!kill_at_) {
      ending_.timed_out = true;
      begin_ending(SIGTERM);
    }
  }
  if (kill_at_ && now >= *kill_at_) kill();
}

int Supervisor::poll_timeout() const {
  int timeout = -1;
  const auto consider = [&](const std::optional<Clock::time_point>& deadline) {
    if (!deadline) return;
    const int left = milliseconds_until(*deadline);
    timeout = timeout < 0 ? left : std::min(timeout, left);
  };
  consider(timeout_at_);
  if (!killed_) consider(kill_at_);
  return timeout;
}

bool Supervisor::child_has_ended() {
  siginfo_t info{};
  // The leader is left unreaped until its group has been killed. Others are orphans that agentrun adopted.
  while (::waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid != 0) {
    if (info.si_pid == pid_) return true;
    ::waitpid(info.si_pid, nullptr, WNOHANG);
    info = {};
  }
  // An unreaped stranger in front hides the leader from P_ALL.
  info = {};
  return ::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == pid_;
}

void Supervisor::collect() {
  int status = 0;
  pid_t result = -1;
  do {
    result = ::waitpid(pid_, &status, 0);
  } while (result < 0 && errno == EINTR);
  if (result != pid_) return;
  if (WIFEXITED(status)) ending_.exit_code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) ending_.signal = WTERMSIG(status);
}

void Supervisor::write_input(std::string_view& input) {
  while (!input.empty()) {
    const ssize_t count = ::write(streams_.input.get(), input.data(), input.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno == EAGAIN) return;
    if (count < 0) break;  // it does not read its input; that is its business
    input.remove_prefix(static_cast<std::size_t>(count));
  }
  input = {};
  streams_.input.reset();
}

/// False at the end of the stream, or when nothing is there.
bool Supervisor::read_from(Descriptor& stream, Audience& audience, bool is_error) {
  const ssize_t count = ::read(stream.get(), chunk_.data(), chunk_.size());
  if (count > 0) {
    const std::string_view bytes(chunk_.data(), static_cast<std::size_t>(count));
    if (is_error) {
      audience.on_error(bytes);
    } else {
      audience.on_output(bytes);
    }
    return true;
  }
  if (count < 0 && errno == EINTR) return true;
  if (count == 0 || errno != EAGAIN) stream.reset();
  return false;
}

void Supervisor::drain_streams(Audience& audience) {
  const auto deadline = Clock::now() + options_.drain;
  while (streams_.output.valid() || streams_.error.valid()) {
    std::array<pollfd, 2> waits{{{streams_.output.get(), POLLIN, 0}, {streams_.error.get(), POLLIN, 0}}};
    const int ready = ::poll(waits.data(), waits.size(), milliseconds_until(deadline));
    if (ready == 0 || (ready < 0 && errno != EINTR)) return;
    if (waits[0].revents != 0) read_from(streams_.output, audience, false);
    if (waits[1].revents != 0) read_from(streams_.error, audience, true);
    output_.flush();
    error_.flush();
    if (Clock::now() >= deadline) return;
  }
}

}  // namespace agentrun::host
