#include "process/check_runner.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>

#include "process/spawn.hpp"

namespace agentrun::host {
namespace {

constexpr std::size_t kept_bytes = 4096;

/// Reads once; false at the end of the stream.
bool read_into(std::string& text, Descriptor& stream) {
  std::array<char, kept_bytes> buffer{};
  const ssize_t count = ::read(stream.get(), buffer.data(), buffer.size());
  if (count < 0) return errno == EAGAIN || errno == EINTR;
  if (count == 0) return false;
  if (text.size() < kept_bytes) text.append(buffer.data(), static_cast<std::size_t>(count));
  return true;
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

CheckRun CheckRunner::run(const std::vector<std::string>& argv) {
  CheckRun result;
  const auto began = std::chrono::steady_clock::now();
  auto output = make_pipe();
  auto error = make_pipe();
  const Descriptor null(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  if (!output || !error || !null.valid() || signals_.first()) {
    result.error = signals_.first() ? "interrupted" : "no descriptors left";
    return result;
  }
  SpawnRequest request;
  request.argv = argv;
  request.environment = environment_;
  request.cwd = "/";
  request.standard_input = null.get();
  request.standard_output = output->write.get();
  request.standard_error = error->write.get();
  const auto pid = spawn(request);
  if (!pid) {
    result.error = pid.error().message;
    return result;
  }
  output->write.reset();
  error->write.reset();
  set_nonblocking(output->read.get());
  set_nonblocking(error->read.get());

  // The check stands for what follows it: it is over when its process is, not when its streams are.
  bool running = true;
  while (running) {
    siginfo_t info{};
    if (::waitid(P_PID, static_cast<id_t>(*pid), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid != 0) break;
    std::array<pollfd, 3> waits{
        {{signals_.fd(), POLLIN, 0}, {output->read.get(), POLLIN, 0}, {error->read.get(), POLLIN, 0}}};
    const int ready = ::poll(waits.data(), waits.size(), milliseconds_until(deadline_));
    if (ready < 0 && errno != EINTR) break;
    if (ready == 0) {
      result.timed_out = true;
      running = false;
    }
    if (waits[0].revents != 0 && !signals_.take().ending.empty()) running = false;
    if (waits[1].revents != 0 && !read_into(result.output, output->read)) output->read.reset();
    if (waits[2].revents != 0 && !read_into(result.error, error->read)) error->read.reset();
  }
  ::kill(-*pid, SIGKILL);
  int status = 0;
  while (::waitpid(*pid, &status, 0) < 0 && errno == EINTR) {
  }
  while (output->read.valid() && read_into(result.output, output->read) && result.output.size() < kept_bytes) {
    pollfd more{output->read.get(), POLLIN, 0};
    if (::poll(&more, 1, 0) <= 0) break;
  }
  while (error->read.valid() && read_into(result.error, error->read) && result.error.size() < kept_bytes) {
    pollfd more{error->read.get(), POLLIN, 0};
    if (::poll(&more, 1, 0) <= 0) break;
  }
  if (running && WIFEXITED(status)) result.exit_code = WEXITSTATUS(status);
  result.duration = std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - began);
  return result;
}

}  // namespace agentrun::host
