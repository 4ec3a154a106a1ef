#include <dirent.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <csignal>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>

#include "process/process_tree.hpp"
#include "system/descriptor.hpp"

namespace agentrun::host {
namespace {

struct CloseDirectory {
  void operator()(DIR* directory) const noexcept { ::closedir(directory); }
};

/// The entries of a directory whose names are numbers.
std::vector<pid_t> numbers_in(const std::string& path) {
  std::vector<pid_t> numbers;
  const std::unique_ptr<DIR, CloseDirectory> directory(::opendir(path.c_str()));
  if (!directory) return numbers;
  while (const dirent* entry = ::readdir(directory.get())) {
    const char* end = entry->d_name + std::char_traits<char>::length(entry->d_name);
    pid_t number = 0;
    if (const auto read = std::from_chars(entry->d_name, end, number); read.ec == std::errc() && read.ptr == end) {
      numbers.push_back(number);
    }
  }
  return numbers;
}

/// Parent of a process, from the fourth field of /proc/PID/stat; the second one may hold spaces and parentheses.
std::optional<pid_t> parent_of(pid_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const std::size_t name_end = text.rfind(')');
  if (name_end == std::string::npos || text.size() < name_end + 5) return std::nullopt;
  pid_t parent = 0;
  const char* begin = text.data() + name_end + 4;
  if (std::from_chars(begin, text.data() + text.size(), parent).ec != std::errc()) return std::nullopt;
  return parent;
}

/// For kernels built without CONFIG_PROC_CHILDREN.
std::vector<pid_t> children_by_scan(pid_t pid) {
  std::vector<pid_t> children;
  for (const pid_t candidate : numbers_in("/proc")) {
    if (parent_of(candidate) == pid) children.push_back(candidate);
  }
  std::sort(children.begin(), children.end());
  return children;
}

void kill_tree(pid_t pid) {
  // Children first would let the parent start new ones in between.
  ::kill(pid, SIGKILL);
  for (const pid_t child : children_of(pid)) kill_tree(child);
}

/// Until the killed process is gone; a process that hangs in the kernel does not hold agentrun up longer than that.
void reap(pid_t child, std::chrono::steady_clock::time_point deadline) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
  const int limit = static_cast<int>(std::max<std::chrono::milliseconds::rep>(left.count(), 0));
  const Descriptor handle(static_cast<int>(::syscall(SYS_pidfd_open, child, 0)));  // Linux 5.3
  pollfd gone{handle.get(), POLLIN, 0};
  ::poll(&gone, 1, handle.valid() ? limit : std::min(limit, 1));
  ::waitpid(child, nullptr, WNOHANG);
}

}  // namespace

std::vector<pid_t> children_of(pid_t pid) {
  std::vector<pid_t> children;
  const std::string tasks = "/proc/" + std::to_string(pid) + "/task";
  bool listed = false;
  for (const pid_t task : numbers_in(tasks)) {
    std::ifstream file(tasks + "/" + std::to_string(task) + "/children");
    listed = listed || file.is_open();
    pid_t child = 0;
    while (file >> child) children.push_back(child);
  }
  return listed ? children : children_by_scan(pid);
}

std::optional<pid_t> descend(pid_t pid, unsigned depth) {
  for (; depth > 0; --depth) {
    const std::vector<pid_t> children = children_of(pid);
    if (children.empty()) return std::nullopt;
    pid = children.front();
  }
  return pid;
}

void become_subreaper() noexcept { ::prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); }

void kill_descendants(const std::vector<pid_t>& spared, std::chrono::milliseconds limit) {
  const auto deadline = std::chrono::steady_clock::now() + limit;
  while (true) {
    std::vector<pid_t> children = children_of(::getpid());
    std::erase_if(children,
                  [&](pid_t child) { return std::find(spared.begin(), spared.end(), child) != spared.end(); });
    if (children.empty()) return;
    for (const pid_t child : children) kill_tree(child);
    for (const pid_t child : children) reap(child, deadline);
    if (std::chrono::steady_clock::now() >= deadline) return;
  }
}

}  // namespace agentrun::host
