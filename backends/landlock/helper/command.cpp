#include "command.hpp"

#include <sched.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>

#include "failure.hpp"
#include "filter.hpp"
#include "privileges.hpp"
#include "ruleset.hpp"

namespace agentrun::landlock {
namespace {

void unblock_signals() {
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
}

}  // namespace

void become_command(const Options& options, pid_t guard, pid_t group, int report) {
  ::setpgid(0, group);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
  if (::getppid() != guard) ::_exit(refused);
  if (::chdir(options.cwd.c_str()) != 0) fail("the working directory");

  const Descriptor ruleset = make_ruleset(options);
  leave_keyring();
  drop_capabilities();
  set_no_new_privileges();
  restrict_to(ruleset);
  const int listener = install_filter(options);
  // From here on this is the agent's: an own table of descriptors, everything but the standard streams closed by exec.
  if (::unshare(CLONE_FILES) != 0) fail("unshare");
  if (::write(report, &listener, sizeof listener) != sizeof listener) fail("report");
  unblock_signals();
  ::execv(options.command[0], options.command);
  const int error = errno;
  ::dprintf(STDERR_FILENO, "agentrun: cannot start %s: %s\n", options.command[0], std::strerror(error));
  ::_exit(error == ENOENT ? not_found : not_executable);
}

}  // namespace agentrun::landlock
