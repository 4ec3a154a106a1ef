#include <linux/seccomp.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

#include "kernel.hpp"

namespace agentrun::landlock {

Kernel this_kernel() noexcept {
  constexpr unsigned ask_version = 1;
  Kernel kernel;
  const long abi = ::syscall(SYS_landlock_create_ruleset, nullptr, 0, ask_version);
  if (abi > 0) {
    kernel.abi = static_cast<int>(abi);
  } else {
    kernel.error = errno;
  }
  const unsigned action = SECCOMP_RET_USER_NOTIF;
  kernel.supervises = ::syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
  return kernel;
}

}  // namespace agentrun::landlock
