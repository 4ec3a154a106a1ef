#include "process/descriptor.hpp"

#include <fcntl.h>

#include <cerrno>
#include <cstdio>
#include <memory>
#include <system_error>

namespace agentrun::host {

Result<Pipe> make_pipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) {
    return failure(ErrorCode::io, "cannot make a pipe (" + system_text(errno) + ")",
                   "Raise the limit of open files (ulimit -n)");
  }
  return Pipe{Descriptor(ends[0]), Descriptor(ends[1])};
}

Result<Descriptor> memory_file(std::string_view content) {
  const auto refuse = [] {
    return failure(ErrorCode::io, "no temporary file (" + system_text(errno) + ")", "Free memory");
  };
  // tmpfile(3) works on every platform; the copy closes on exec.
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::tmpfile(), &std::fclose);
  if (!file) return refuse();
  Descriptor copy(::fcntl(::fileno(file.get()), F_DUPFD_CLOEXEC, 3));
  if (!copy.valid()) return refuse();
  while (!content.empty()) {
    const ssize_t count = ::write(copy.get(), content.data(), content.size());
    if (count < 0 && errno != EINTR) return refuse();
    if (count > 0) content.remove_prefix(static_cast<std::size_t>(count));
  }
  if (::lseek(copy.get(), 0, SEEK_SET) != 0) return refuse();
  return copy;
}

void set_nonblocking(int fd) noexcept {
  const int flags = ::fcntl(fd, F_GETFL);
  if (flags >= 0) ::fcntl(fd, F_SETFL, flags | O_NONBLOCK);
}

std::string system_text(int error) { return std::generic_category().message(error); }

}  // namespace agentrun::host
