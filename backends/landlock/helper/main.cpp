// agentrun-landlock OPTIONS -- COMMAND…
//
// Starts the command inside the limits of Landlock and seccomp. Three processes: this one, which agentrun started and
// which only waits; the guard, its child; the command, the guard's. The guard survives a SIGKILL to this one or to the
// command's group and ends the rest; this one ends the rest when the guard dies.

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <string_view>

#include "descriptor.hpp"
#include "failure.hpp"
#include "guard.hpp"
#include "options.hpp"
#include "processes.hpp"
#include "try_supervisor.hpp"

namespace {

using namespace agentrun::landlock;  // NOLINT(*build-using-namespace)

/// Blocked all the time. Once the command has begun, what the terminal sends to its group is the command's alone.
class Signals {
 public:
  Signals() {
    sigset_t set;
    ::sigfillset(&set);
    // Stopped with the group, going on with it.
    for (const int signal : {SIGTSTP, SIGTTIN, SIGTTOU, SIGCONT}) ::sigdelset(&set, signal);
    ::sigprocmask(SIG_SETMASK, &set, nullptr);
    ::sigdelset(&set, SIGCHLD);
    descriptor_.reset(::signalfd(-1, &set, SFD_CLOEXEC));
    if (!descriptor_.valid()) fail("signalfd");
  }

  /// Until the other end of `begun` is closed: 0, or the number of a signal that came first.
  [[nodiscard]] int before(const Descriptor& begun) const {
    pollfd waits[2]{{begun.get(), POLLIN, 0}, {descriptor_.get(), POLLIN, 0}};
    while (::poll(waits, 2, -1) < 0 && errno == EINTR) {
    }
    if (waits[0].revents != 0) return 0;
    signalfd_siginfo info{};
    if (::read(descriptor_.get(), &info, sizeof info) != static_cast<ssize_t>(sizeof info)) return SIGTERM;
    return static_cast<int>(info.ssi_signo);
  }

 private:
  Descriptor descriptor_;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2 && std::string_view(argv[1]) == "--try") return try_supervisor();
  if (argc == 2 && std::string_view(argv[1]) == "--nothing") return 0;
  const Options options = parse(argc, argv);
  const pid_t parent = ::getppid();
  ::prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
  if (::getppid() != parent) return refused;
  become_subreaper();

  const Signals signals;
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) fail("pipe");
  const Descriptor begun(ends[0]);
  const pid_t self = ::getpid();
  const pid_t child = ::fork();
  if (child < 0) fail("fork");
  if (child == 0) guard(options, self, ends[1]);
  ::close(ends[1]);
  // The guard sees the end of this process and ends the rest.
  if (const int signal = signals.before(begun)) return 128 + signal;
  let_go_of_streams();
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  kill_all_children();
  return exit_code_of(status);
}
