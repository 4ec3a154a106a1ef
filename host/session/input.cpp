#include "session/input.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <optional>
#include <vector>

#include "system/file.hpp"

namespace agentrun::host {
namespace {

constexpr std::size_t chunk_size = std::size_t{256} * 1024;
constexpr std::size_t mebibyte = std::size_t{1024} * 1024;
constexpr const char* give_a_file = "Give the path of a file that exists and that you can read";

tl::unexpected<Error> unreadable(const std::string& label, int error) {
  const bool missing = error == ENOENT || error == ENOTDIR;
  return failure(missing ? ErrorCode::not_found : ErrorCode::io, label + " cannot be read: " + system_text(error),
                 give_a_file);
}

tl::unexpected<Error> interrupted(const std::string& label) {
  return failure(ErrorCode::interrupted, "a signal came while " + label + " was read");
}

enum class Wait { readable, silent, interrupted, failed };

/// Without `limit`: forever.
Wait wait_for(int descriptor, int wake, std::optional<std::chrono::milliseconds> limit) {
  std::array<pollfd, 2> polled{pollfd{descriptor, POLLIN, 0}, pollfd{wake, POLLIN, 0}};
  const int timeout = limit ? static_cast<int>(limit->count()) : -1;
  int ready = 0;
  do {
    ready = ::poll(polled.data(), polled.size(), timeout);
  } while (ready < 0 && errno == EINTR);
  if (ready < 0) return Wait::failed;
  if (ready == 0) return Wait::silent;
  return polled[1].revents != 0 ? Wait::interrupted : Wait::readable;
}

/// What has been read so far, never more than the limit.
class Collected {
 public:
  explicit Collected(std::size_t limit) : limit_(limit), chunk_(chunk_size) {}

  /// As read(2).
  ssize_t read_from(int descriptor) {
    ssize_t count = 0;
    do {
      count = ::read(descriptor, chunk_.data(), chunk_.size());
    } while (count < 0 && errno == EINTR);
    if (count > 0) bytes_.append(chunk_.data(), static_cast<std::size_t>(count));
    return count;
  }
  [[nodiscard]] bool empty() const { return bytes_.empty(); }
  [[nodiscard]] bool too_large() const { return bytes_.size() > limit_; }
  [[nodiscard]] tl::unexpected<Error> refuse_size(const std::string& label) const {
    return failure(ErrorCode::usage, label + " is larger than " + std::to_string(limit_ / mebibyte) + " MiB",
                   "Give less");
  }
  [[nodiscard]] std::string take() { return std::move(bytes_); }

 private:
  std::size_t limit_;
  std::vector<char> chunk_;
  std::string bytes_;
};

/// `file` was opened with O_NONBLOCK.
Result<std::string> read_opened(const Descriptor& file, bool pipe, const std::string& label, const InputLimits& limits,
                                int wake) {
  Collected collected(limits.bytes);
  bool waited = false;
  for (;;) {
    const ssize_t count = collected.read_from(file.get());
    if (count > 0) {
      if (collected.too_large()) return collected.refuse_size(label);
      continue;
    }
    if (count < 0 && errno != EAGAIN) return unreadable(label, errno);
    // The end of a pipe that nobody has opened for writing yet looks like the end of a file.
    const bool ended = count == 0 && (!pipe || waited || !collected.empty());
    if (ended) return collected.take();
    const bool has_writer = count < 0;
    switch (wait_for(file.get(), wake, has_writer ? limits.silent_writer : limits.missing_writer)) {
      case Wait::readable:
        waited = true;
        break;
      case Wait::interrupted:
        return interrupted(label);
      case Wait::failed:
        return unreadable(label, errno);
      case Wait::silent:
        return failure(ErrorCode::io, label + " is a pipe and no data came", "Start the program that writes to it");
    }
  }
}

}  // namespace

Result<std::string> read_input_file(const std::filesystem::path& file, const std::string& label,
                                    const InputLimits& limits, int wake) {
  // O_NONBLOCK: opening a FIFO without a writer would hang. O_NOCTTY: a terminal must not become ours.
  const Descriptor opened(::open(file.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
  if (!opened.valid()) return unreadable(label, errno);
  struct stat facts {};
  if (::fstat(opened.get(), &facts) != 0) return unreadable(label, errno);
  if (S_ISDIR(facts.st_mode)) return unreadable(label, EISDIR);
  const bool pipe = S_ISFIFO(facts.st_mode);
  const bool device = S_ISCHR(facts.st_mode) && ::isatty(opened.get()) == 0;
  if (!S_ISREG(facts.st_mode) && !pipe && !device) {
    return failure(ErrorCode::io, label + " cannot be read: not a file", give_a_file);
  }
  return read_opened(opened, pipe, label, limits, wake);
}

Result<std::string> read_input(int descriptor, const std::string& label, std::size_t byte_limit, int wake) {
  Collected collected(byte_limit);
  for (;;) {
    switch (wait_for(descriptor, wake, std::nullopt)) {
      case Wait::interrupted:
        return interrupted(label);
      case Wait::failed:
        return unreadable(label, errno);
      case Wait::readable:
      case Wait::silent:
        break;
    }
    const ssize_t count = collected.read_from(descriptor);
    if (count == 0) return collected.take();
    if (count < 0 && errno != EAGAIN) return unreadable(label, errno);
    if (collected.too_large()) return collected.refuse_size(label);
  }
}

}  // namespace agentrun::host
