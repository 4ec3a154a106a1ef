#include "filter.hpp"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

#include "failure.hpp"
#include "seccomp/filter_program.hpp"

namespace agentrun::landlock {
namespace {

// Linux 5.19: only a fatal signal interrupts a call that is being answered. Without it a program with a busy timer
// (Go's runtime) might never get its answer.
constexpr unsigned long wait_killable = 1UL << 5;

long set_filter(unsigned long flags, std::string_view bytes) {
  sock_fprog program{};
  program.len = static_cast<unsigned short>(bytes.size() / sizeof(sock_filter));
  program.filter = reinterpret_cast<sock_filter*>(const_cast<char*>(bytes.data()));
  return ::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program);
}

}  // namespace

int install_filter(const Options& options) {
  using seccomp::FilterKind;
  if (options.network == Network::open) {
    if (set_filter(0, seccomp::filter_program(FilterKind::open_network)) != 0) fail("the system call filter");
    return -1;
  }
  const std::string_view program =
      seccomp::filter_program(options.states.empty() ? FilterKind::supervised : FilterKind::supervised_with_locks);
  long listener = set_filter(SECCOMP_FILTER_FLAG_NEW_LISTENER | wait_killable, program);
  if (listener < 0 && errno == EINVAL) listener = set_filter(SECCOMP_FILTER_FLAG_NEW_LISTENER, program);
  // EBUSY: inside a sandbox that has a supervisor already.
  if (listener < 0) fail("the supervisor of connections");
  return static_cast<int>(listener);
}

}  // namespace agentrun::landlock
