#include "system/descriptor.hpp"

#include <fcntl.h>

#include <cerrno>
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

void set_nonblocking(int fd) noexcept {
  const int flags = ::fcntl(fd, F_GETFL);
  if (flags >= 0) ::fcntl(fd, F_SETFL, flags | O_NONBLOCK);
}

std::string system_text(int error) { return std::generic_category().message(error); }

}  // namespace agentrun::host
