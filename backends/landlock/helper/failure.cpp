#include "failure.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace agentrun::landlock {

void fail(const char* what) noexcept {
  ::dprintf(STDERR_FILENO, "agentrun-landlock: %s: %s\n", what, std::strerror(errno));
  ::_exit(refused);
}

void fail_plainly(const char* what) noexcept {
  ::dprintf(STDERR_FILENO, "agentrun-landlock: %s\n", what);
  ::_exit(refused);
}

}  // namespace agentrun::landlock
