#include "guard.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <optional>
#include <vector>

#include "command.hpp"
#include "failure.hpp"
#include "privileges.hpp"
#include "processes.hpp"
#include "supervised_calls.hpp"

namespace agentrun::landlock {
namespace {

// Blocked, and read as data.
constexpr int parent_died = SIGUSR1;

Descriptor watch_signals() {
  sigset_t all;
  ::sigfillset(&all);
  ::sigprocmask(SIG_SETMASK, &all, nullptr);
  sigset_t watched;
  ::sigemptyset(&watched);
  ::sigaddset(&watched, SIGCHLD);
  ::sigaddset(&watched, parent_died);
  Descriptor signals(::signalfd(-1, &watched, SFD_CLOEXEC | SFD_NONBLOCK));
  if (!signals.valid()) fail("signalfd");
  return signals;
}

/// fork() with a shared table of descriptors, until the child takes one of its own.
pid_t fork_with_shared_table() {
  return static_cast<pid_t>(::syscall(SYS_clone, CLONE_FILES | SIGCHLD, nullptr, nullptr, nullptr, nullptr));
}

void raise_limit_of_files() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

class Guard {
 public:
  Guard(const Options& options, Descriptor begun) : options_(options), begun_(std::move(begun)) {}

  /// The command's exit code.
  int run(pid_t parent);

 private:
  void start();
  void take_report();
  /// The exit code once the command has ended, or the parent.
  std::optional<int> look_at_signals();

  const Options& options_;
  Descriptor begun_;
  Descriptor signals_ = watch_signals();
  Descriptor report_;
  pid_t command_ = -1;
  std::optional<SupervisedCalls> calls_;
};

void Guard::start() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) fail("pipe");
  report_.reset(ends[0]);
  Descriptor report(ends[1]);
  const pid_t self = ::getpid();
  const pid_t group = ::getpgid(0);
  // In a group of its own: a signal to the command's group does not reach it, SIGKILL neither.
  ::setpgid(0, 0);
  command_ = fork_with_shared_table();
  if (command_ < 0) fail("fork");
  if (command_ == 0) become_command(options_, self, group, report.get());
  // Its end of the pipe is the same as ours until it reports: nothing may be closed before. What happens to it until
  // then is told by its exit.
  pollfd waits[2]{{report_.get(), POLLIN, 0}, {signals_.get(), POLLIN, 0}};
  while (::poll(waits, 2, -1) < 0 && errno == EINTR) {
  }
  if ((waits[0].revents & POLLIN) != 0) take_report();
}

void Guard::take_report() {
  int listener = -1;
  if (::read(report_.get(), &listener, sizeof listener) != sizeof listener) return;
  report_.reset();
  begun_.reset();
  let_go_of_streams();
  raise_limit_of_files();
  drop_capabilities();
  if (listener >= 0) calls_.emplace(options_, Descriptor(listener));
}

std::optional<int> Guard::look_at_signals() {
  signalfd_siginfo info{};
  bool orphaned = false;
  while (::read(signals_.get(), &info, sizeof info) == static_cast<ssize_t>(sizeof info)) {
    orphaned = orphaned || info.ssi_signo == static_cast<std::uint32_t>(parent_died);
  }
  if (orphaned) return 128 + SIGKILL;
  std::optional<int> ended;
  int status = 0;
  for (pid_t pid = 0; (pid = ::waitpid(-1, &status, WNOHANG)) > 0;) {
    if (pid == command_) ended = exit_code_of(status);
  }
  return ended;
}

int Guard::run(pid_t parent) {
  become_subreaper();
  ::prctl(PR_SET_PDEATHSIG, parent_died, 0, 0, 0);
  if (::getppid() != parent) return refused;
  start();
  std::vector<pollfd> waits;
  while (true) {
    if (const auto code = look_at_signals()) {
      calls_.reset();
      kill_all_children();
      return *code;
    }
    if (calls_) calls_->serve();
    waits.assign(1, {signals_.get(), POLLIN, 0});
    if (calls_) calls_->add_waits(waits);
    if (::poll(waits.data(), waits.size(), calls_ ? calls_->limit() : -1) < 0 && errno != EINTR) {
      return refused;
    }
    if (calls_ && (waits[1].revents & (POLLHUP | POLLERR)) != 0) calls_.reset();
  }
}

}  // namespace

void guard(const Options& options, pid_t parent, int begun) {
  // What runs below may not look into this process nor stop it (Landlock), and gets nothing of it by a core dump.
  ::prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
  const int code = Guard(options, Descriptor(begun)).run(parent);
  ::_exit(code);
}

void let_go_of_streams() noexcept {
  const int nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  for (const int stream : {0, 1, 2}) {
    if (nothing >= 0) {
      ::dup2(nothing, stream);
    } else {
      ::close(stream);
    }
  }
  if (nothing > 2) ::close(nothing);
}

}  // namespace agentrun::landlock
