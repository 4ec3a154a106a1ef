#include "session/session_directory.hpp"

#include <sys/stat.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "agentrun/path.hpp"
#include "session/opened_directory.hpp"
#include "session/session_name.hpp"

namespace agentrun::host {
namespace {

namespace fs = std::filesystem;

constexpr int attempts = 100;

tl::unexpected<Error> cannot_make(const fs::path& parent, int error) {
  return failure(ErrorCode::io,
                 "the session directory cannot be made in " + parent.string() + ": " + system_text(error),
                 "Set TMPDIR to a directory that exists and that you can write");
}

/// Locks a directory that was just made. False when a run that looks for abandoned ones was faster: it holds the lock
/// or has removed the directory already. A filesystem without flock leaves it unlocked, for that run too.
bool claim(const fs::path& path, int directory) {
  return try_lock(directory) != LockAttempt::held_by_another && is_still(path, directory);
}

std::string id_of(const fs::path& session) { return parse_session_name(session.filename().string()).value().id; }

}  // namespace

SessionDirectory::SessionDirectory(fs::path path, Descriptor directory) noexcept
    : path_(std::move(path)), directory_(std::move(directory)) {}

SessionDirectory::SessionDirectory(SessionDirectory&& other) noexcept = default;

SessionDirectory& SessionDirectory::operator=(SessionDirectory&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(directory_, other.directory_);
  std::swap(companions_, other.companions_);
  return *this;
}

SessionDirectory::~SessionDirectory() { (void)remove(); }

fs::path SessionDirectory::parent_for(const Environment& caller) {
  const fs::path parent(caller.get_nonempty("TMPDIR").value_or("/tmp"));
  std::error_code error;
  const fs::path absolute = fs::absolute(parent, error);
  return real_path(error ? parent : absolute);
}

Result<SessionDirectory> SessionDirectory::create(const Environment& caller) {
  const fs::path parent = parent_for(caller);
  for (int attempt = 0; attempt < attempts; ++attempt) {
    const auto id = random_session_id();
    if (!id) return tl::unexpected(id.error());
    fs::path path = parent / session_directory_name(*id);
    if (::mkdir(path.c_str(), S_IRWXU) != 0) {
      if (errno == EEXIST) continue;
      return cannot_make(parent, errno);
    }
    Descriptor directory = open_directory(path);
    if (!directory.valid() && errno != ENOENT) return cannot_make(parent, errno);
    if (directory.valid() && claim(path, directory.get())) {
      return SessionDirectory(std::move(path), std::move(directory));
    }
  }
  return cannot_make(parent, EEXIST);
}

Result<fs::path> SessionDirectory::companion(std::string_view name) {
  if (!is_companion_name(name)) {
    return failure(ErrorCode::usage, "'" + std::string(name) + "' is no name for a private home");
  }
  fs::path path = parent() / session_companion_name(id_of(path_), name);
  if (::mkdir(path.c_str(), S_IRWXU) != 0) return cannot_make(parent(), errno);
  companions_.push_back(path);
  return path;
}

Result<void> SessionDirectory::keep() {
  if (auto marked = write_file(parent() / session_mark_name(id_of(path_)), ""); !marked) return marked;
  directory_ = Descriptor();
  return {};
}

Result<void> SessionDirectory::remove() {
  const Descriptor directory = std::move(directory_);
  if (!directory.valid()) return {};
  Result<void> result;
  // The directory itself goes last: as long as it is there and locked, its companions have a live owner.
  for (const auto& companion : companions_) {
    if (auto removed = remove_named(companion); !removed && result) result = std::move(removed);
  }
  if (auto removed = remove_opened(path_, directory.get()); !removed && result) result = std::move(removed);
  return result;
}

}  // namespace agentrun::host
