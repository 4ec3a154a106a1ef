#include "cli/process_console.hpp"

#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <system_error>

namespace agentrun::cli {

namespace {

/// 0, or the error number of the write that failed.
int write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written >= 0) {
      text.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno == EAGAIN) {
      // The descriptor was made non-blocking by whoever shares it.
      pollfd ready{descriptor, POLLOUT, 0};
      static_cast<void>(::poll(&ready, 1, -1));
    } else if (errno != EINTR) {
      return errno;
    }
  }
  return 0;
}

}  // namespace

Result<void> ProcessConsole::print(std::string_view text) {
  const int error = write_all(STDOUT_FILENO, text);
  if (error == 0 || error == EPIPE) return {};
  return failure(ErrorCode::io, "cannot write to standard output: " + std::generic_category().message(error));
}

void ProcessConsole::complain(std::string_view text) { static_cast<void>(write_all(STDERR_FILENO, text)); }

bool ProcessConsole::output_is_terminal() const { return ::isatty(STDOUT_FILENO) == 1; }

}  // namespace agentrun::cli
