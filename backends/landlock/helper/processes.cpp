#include "processes.hpp"

#include <dirent.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace agentrun::landlock {
namespace {

/// From the fourth field of /proc/PID/stat; the second one may hold spaces and parentheses.
pid_t parent_of(pid_t pid) {
  char path[32];
  std::snprintf(path, sizeof path, "/proc/%d/stat", pid);
  char text[512];
  std::FILE* file = std::fopen(path, "re");
  if (file == nullptr) return -1;
  const std::size_t size = std::fread(text, 1, sizeof text - 1, file);
  std::fclose(file);
  text[size] = '\0';
  const char* name_end = std::strrchr(text, ')');
  return name_end == nullptr || std::strlen(name_end) < 5 ? -1 : std::atoi(name_end + 4);
}

/// /proc/…/children is not there in every kernel (CONFIG_PROC_CHILDREN).
void kill_children() {
  DIR* directory = ::opendir("/proc");
  if (directory == nullptr) return;
  const pid_t self = ::getpid();
  while (const dirent* entry = ::readdir(directory)) {
    const pid_t pid = std::atoi(entry->d_name);
    if (pid > 0 && parent_of(pid) == self) ::kill(pid, SIGKILL);
  }
  ::closedir(directory);
}

bool reap_some() {
  bool any = false;
  while (::waitpid(-1, nullptr, WNOHANG) > 0) any = true;
  return any;
}

bool has_children() {
  siginfo_t info{};
  return ::waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0;
}

}  // namespace

void become_subreaper() noexcept { ::prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); }

void kill_all_children() noexcept {
  constexpr int rounds = 5000;
  constexpr timespec pause{0, 1000000};
  for (int round = 0; round < rounds && has_children(); ++round) {
    kill_children();
    if (!reap_some()) ::nanosleep(&pause, nullptr);
  }
}

int exit_code_of(int status) noexcept { return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status); }

}  // namespace agentrun::landlock
