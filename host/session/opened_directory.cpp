#include "session/opened_directory.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "session/remove_tree.hpp"

namespace agentrun::host {
namespace {

tl::unexpected<Error> cannot_remove(const std::filesystem::path& path, int error) {
  return failure(ErrorCode::io, path.string() + " cannot be removed: " + system_text(error), "Remove it by hand");
}

}  // namespace

Descriptor open_directory(const std::filesystem::path& path) {
  return Descriptor(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
}

bool is_still(const std::filesystem::path& path, int directory) {
  struct stat named {};
  struct stat opened {};
  return ::lstat(path.c_str(), &named) == 0 && ::fstat(directory, &opened) == 0 && named.st_dev == opened.st_dev &&
         named.st_ino == opened.st_ino;
}

LockAttempt try_lock(int directory) {
  if (::flock(directory, LOCK_EX | LOCK_NB) == 0) return LockAttempt::taken;
  return errno == EWOULDBLOCK ? LockAttempt::held_by_another : LockAttempt::unsupported;
}

Result<void> remove_opened(const std::filesystem::path& path, int directory) {
  if (const auto cleared = clear_directory(directory); !cleared) {
    return failure(ErrorCode::io, path.string() + " cannot be removed: " + cleared.error().message,
                   "Remove it by hand");
  }
  // Renamed away, or something else put in its place: what was ours is empty, the rest is not ours.
  if (!is_still(path, directory)) return {};
  if (::rmdir(path.c_str()) == 0 || errno == ENOENT) return {};
  return cannot_remove(path, errno);
}

Result<void> remove_named(const std::filesystem::path& path) {
  struct stat facts {};
  if (::lstat(path.c_str(), &facts) != 0) {
    if (errno == ENOENT) return {};
    return cannot_remove(path, errno);
  }
  if (!S_ISDIR(facts.st_mode)) return cannot_remove(path, ENOTDIR);
  if (facts.st_uid != ::geteuid()) return cannot_remove(path, EPERM);
  // The agent may have taken its own permissions away. Where this fails, opening says why.
  [[maybe_unused]] const int changed = ::fchmodat(AT_FDCWD, path.c_str(), S_IRWXU, AT_SYMLINK_NOFOLLOW);
  const Descriptor directory = open_directory(path);
  if (!directory.valid()) return cannot_remove(path, errno);
  return remove_opened(path, directory.get());
}

}  // namespace agentrun::host
