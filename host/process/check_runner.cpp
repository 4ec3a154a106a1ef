#include "process/check_runner.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>

#include "agentrun/runtime.hpp"
#include "process/line_splitter.hpp"
#include "process/spawn.hpp"

namespace agentrun::host {
namespace {

constexpr std::size_t kept_bytes = 65536;
/// More than a pipe holds: what an orphan goes on writing is not waited for.
constexpr int most_rests = 64;

/// One stream of the command: its first bytes, and its lines as they come.
class Watched {
 public:
  explicit Watched(Descriptor stream) : stream_(std::move(stream)) { set_nonblocking(stream_.get()); }

  [[nodiscard]] int fd() const noexcept { return stream_.get(); }
  [[nodiscard]] std::string take() noexcept { return std::move(text_); }

  /// Reads once. True when `enough` says so of a line.
  bool read(const std::function<bool(std::string_view)>& enough = {}) {
    std::array<char, 16384> buffer{};
    const ssize_t count = ::read(stream_.get(), buffer.data(), buffer.size());
    if (count <= 0) {
      if (count == 0 || (errno != EAGAIN && errno != EINTR)) stream_.reset();
      return false;
    }
    const std::string_view bytes(buffer.data(), static_cast<std::size_t>(count));
    text_.append(bytes.substr(0, kept_bytes - std::min(kept_bytes, text_.size())));
    if (!enough) return false;
    bool satisfied = false;
    lines_.feed(bytes, [&](std::string_view line) { satisfied = satisfied || enough(line); });
    return satisfied;
  }

  /// What is there without waiting.
  void read_rest(const std::function<bool(std::string_view)>& enough = {}) {
    pollfd more{stream_.get(), POLLIN, 0};
    for (int rest = 0; rest < most_rests && stream_.valid() && ::poll(&more, 1, 0) > 0; ++rest) {
      if (read(enough)) return;
      more.fd = stream_.get();
    }
  }

 private:
  Descriptor stream_;
  std::string text_;
  LineSplitter lines_{Translator::line_padding};
};

std::vector<std::string> with_variables(std::vector<std::string> environment, const std::vector<Variable>& variables) {
  for (const Variable& variable : variables) {
    std::erase_if(environment, [&](const std::string& one) { return one.starts_with(variable.name + "="); });
    environment.push_back(variable.name + "=" + variable.value);
  }
  return environment;
}

int milliseconds_until(std::chrono::steady_clock::time_point deadline) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
  return static_cast<int>(std::max<std::chrono::milliseconds::rep>(left.count(), 0));
}

}  // namespace

CheckRunner::CheckRunner(const SearchPath& search, std::vector<std::filesystem::path> writable,
                         std::vector<std::string> environment, SignalSource& signals, std::chrono::milliseconds budget)
    : search_(search),
      writable_(std::move(writable)),
      environment_(std::move(environment)),
      signals_(signals),
      deadline_(std::chrono::steady_clock::now() + budget) {}

std::optional<std::filesystem::path> CheckRunner::find_tool(std::string_view name) const {
  return search_.find_outside(std::string(name), writable_);
}

bool CheckRunner::root() const noexcept { return ::geteuid() == 0; }

CheckRun CheckRunner::run(const CheckCommand& command) {
  CheckRun result;
  const auto began = std::chrono::steady_clock::now();
  auto out_pipe = make_pipe();
  auto error_pipe = make_pipe();
  const Descriptor null(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  if (!out_pipe || !error_pipe || !null.valid() || signals_.first()) {
    result.error = signals_.first() ? "interrupted" : "no descriptors left";
    return result;
  }
  SpawnRequest request;
  request.argv = command.argv;
  request.environment = with_variables(environment_, command.variables);
  request.cwd = command.cwd;
  request.standard_input = null.get();
  request.standard_output = out_pipe->write.get();
  request.standard_error = error_pipe->write.get();
  const auto pid = spawn(request);
  if (!pid) {
    result.error = pid.error().message;
    return result;
  }
  out_pipe->write.reset();
  error_pipe->write.reset();
  Watched output(std::move(out_pipe->read));
  Watched error(std::move(error_pipe->read));

  // The check stands for what follows it: it is over when its process is, not when its streams are.
  bool running = true;
  while (running) {
    siginfo_t info{};
    if (::waitid(P_PID, static_cast<id_t>(*pid), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid != 0) break;
    std::array<pollfd, 3> waits{{{signals_.fd(), POLLIN, 0}, {output.fd(), POLLIN, 0}, {error.fd(), POLLIN, 0}}};
    const int ready = ::poll(waits.data(), waits.size(), milliseconds_until(deadline_));
    if (ready < 0 && errno != EINTR) break;
    if (ready == 0) {
      result.timed_out = true;
      running = false;
    }
    if (waits[0].revents != 0 && !signals_.take().ending.empty()) running = false;
    if (waits[1].revents != 0 && output.read(command.enough)) running = false;
    if (waits[2].revents != 0) error.read();
  }
  ::kill(-*pid, SIGKILL);
  int status = 0;
  while (::waitpid(*pid, &status, 0) < 0 && errno == EINTR) {
  }
  output.read_rest(command.enough);  // a command that has ended may have said it at last
  error.read_rest();
  result.output = output.take();
  result.error = error.take();
  if (running && WIFEXITED(status)) result.exit_code = WEXITSTATUS(status);
  result.duration = std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - began);
  return result;
}

}  // namespace agentrun::host
