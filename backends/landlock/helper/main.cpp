// agentrun-landlock OPTIONS -- COMMAND…
//
// Starts the command inside the limits of Landlock and seccomp. Three processes: this one, which agentrun started and
// which only waits; the guard, its child; the command, the guard's. The guard survives a SIGKILL to this one or to the
// command's group and ends the rest; this one ends the rest when the guard dies.

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <string_view>

#include "failure.hpp"
#include "guard.hpp"
#include "options.hpp"
#include "processes.hpp"
#include "try_supervisor.hpp"

namespace {

using namespace agentrun::landlock;  // NOLINT(*build-using-namespace)

/// Those that the terminal sends to the command's group are the command's. Until it has begun they end the start.
void leave_signals_to_the_command() {
  sigset_t all;
  ::sigfillset(&all);
  // Stopped with the group, going on with it.
  for (const int signal : {SIGTSTP, SIGTTIN, SIGTTOU, SIGCONT}) ::sigdelset(&all, signal);
  ::sigprocmask(SIG_SETMASK, &all, nullptr);
}

void wait_for_end(int descriptor) {
  char byte = 0;
  while (::read(descriptor, &byte, 1) < 0 && errno == EINTR) {
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2 && std::string_view(argv[1]) == "--try") return try_supervisor();
  if (argc == 2 && std::string_view(argv[1]) == "--nothing") return 0;
  const Options options = parse(argc, argv);
  const pid_t parent = ::getppid();
  ::prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
  if (::getppid() != parent) return refused;
  become_subreaper();

  int begun[2];
  if (::pipe2(begun, O_CLOEXEC) != 0) fail("pipe");
  const pid_t self = ::getpid();
  const pid_t child = ::fork();
  if (child < 0) fail("fork");
  if (child == 0) {
    ::close(begun[0]);
    guard(options, self, begun[1]);
  }
  ::close(begun[1]);
  wait_for_end(begun[0]);
  leave_signals_to_the_command();
  let_go_of_streams();
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  kill_all_children();
  return exit_code_of(status);
}
