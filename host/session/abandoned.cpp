// What killed runs left in the temporary directory.

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "session/opened_directory.hpp"
#include "session/session_directory.hpp"
#include "session/session_name.hpp"

namespace agentrun::host {
namespace {

namespace fs = std::filesystem;

/// What one run has in the temporary directory.
struct Leftover {
  bool directory = false;
  bool mark = false;
  std::vector<std::string> companions;
};

using Leftovers = std::map<std::string, Leftover>;

struct CloseDirectory {
  void operator()(DIR* stream) const { ::closedir(stream); }
};

Leftovers read_names(const fs::path& parent) {
  Leftovers found;
  const std::unique_ptr<DIR, CloseDirectory> stream(::opendir(parent.c_str()));
  if (!stream) return found;
  while (const dirent* entry = ::readdir(stream.get())) {
    const auto name = parse_session_name(entry->d_name);
    if (!name) continue;
    Leftover& leftover = found[name->id];
    switch (name->entry) {
      case SessionEntry::directory:
        leftover.directory = true;
        break;
      case SessionEntry::mark:
        leftover.mark = true;
        break;
      case SessionEntry::companion:
        leftover.companions.emplace_back(entry->d_name);
        break;
    }
  }
  return found;
}

bool is_ours(const fs::path& path, mode_t type) {
  struct stat facts {};
  return ::lstat(path.c_str(), &facts) == 0 && (facts.st_mode & S_IFMT) == type && facts.st_uid == ::geteuid();
}

bool is_there(const fs::path& path) {
  struct stat facts {};
  return ::lstat(path.c_str(), &facts) == 0;
}

void remove_companions(const fs::path& parent, const Leftover& leftover) {
  for (const auto& name : leftover.companions) {
    if (is_ours(parent / name, S_IFDIR)) (void)remove_named(parent / name);
  }
}

/// A live owner holds the lock. One that starts just now has made the directory and not locked it yet: it notices
/// that the lock is taken and makes another one.
void remove_run(const fs::path& parent, const std::string& id, const Leftover& leftover) {
  const fs::path path = parent / session_directory_name(id);
  const fs::path mark = parent / session_mark_name(id);
  if (!is_there(path)) {
    remove_companions(parent, leftover);
    if (leftover.mark && is_ours(mark, S_IFREG)) ::unlink(mark.c_str());
    return;
  }
  if (!is_ours(path, S_IFDIR)) return;
  Descriptor directory = open_directory(path);
  if (!directory.valid() && ::fchmodat(AT_FDCWD, path.c_str(), S_IRWXU, AT_SYMLINK_NOFOLLOW) == 0) {
    directory = open_directory(path);
  }
  if (!directory.valid() || try_lock(directory.get()) != LockAttempt::taken) return;
  if (is_there(mark) || !is_still(path, directory.get())) return;
  remove_companions(parent, leftover);
  (void)remove_opened(path, directory.get());
}

}  // namespace

void remove_abandoned(const fs::path& parent) {
  for (const auto& [id, leftover] : read_names(parent)) remove_run(parent, id, leftover);
}

}  // namespace agentrun::host
