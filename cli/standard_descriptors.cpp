#include "cli/standard_descriptors.hpp"

#include <fcntl.h>

#include <cerrno>

namespace agentrun::cli {

void open_missing_standard_descriptors() noexcept {
  for (int descriptor = 0; descriptor <= 2; ++descriptor) {
    // open() takes the lowest free number, which is this one: those below it are open.
    if (::fcntl(descriptor, F_GETFD) == -1 && errno == EBADF) static_cast<void>(::open("/dev/null", O_RDWR));
  }
}

}  // namespace agentrun::cli
