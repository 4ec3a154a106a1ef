#include "record/saved_session.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

#include "record/copy_record.hpp"
#include "record/exchange.hpp"
#include "session/opened_directory.hpp"
#include "session/private_directories.hpp"
#include "session/session_name.hpp"

namespace agentrun::host {
namespace {

namespace fs = std::filesystem;

constexpr const char* record_name = "record";
constexpr const char* note_name = "session.json";

tl::unexpected<Error> unknown(const fs::path& directory, const std::string& runtime, const std::string& id) {
  std::error_code error;
  for (const auto& other : fs::directory_iterator(directory, error)) {
    if (!fs::is_regular_file(other.path() / id / note_name, error)) continue;
    const std::string name = other.path().filename().string();
    if (name == runtime) continue;
    return failure(ErrorCode::usage, "--resume " + id + ": that session belongs to " + name + ", not to " + runtime,
                   "Run agentrun " + name);
  }
  return failure(ErrorCode::usage, "--resume " + id + ": no such session of " + runtime + " in " + directory.string(),
                 "Take the id from the end event of a run with that --session-dir");
}

tl::unexpected<Error> cannot_save(const fs::path& path, int error) {
  return failure(ErrorCode::io, "the session cannot be saved as " + path.string() + ": " + system_text(error),
                 "Check the space and the permissions of the directory of --session-dir");
}

/// What belongs to the record among files of the user's. A whole directory is the run's own and goes with it.
void remove_placed(const SessionRecord& record) {
  for (const std::string& name : record.entries) {
    const fs::path path = record.directory / name;
    if (::unlink(path.c_str()) != 0) static_cast<void>(remove_named(path));
  }
  // Only when it is empty: made for this session.
  if (!record.entries.empty()) static_cast<void>(::rmdir(record.directory.c_str()));
}

/// A directory that goes away with everything in it, unless it was renamed.
class Draft {
 public:
  explicit Draft(fs::path path) : path_(std::move(path)) {}
  Draft(const Draft&) = delete;
  Draft& operator=(const Draft&) = delete;
  ~Draft() { static_cast<void>(remove_named(path_)); }

  [[nodiscard]] const fs::path& path() const noexcept { return path_; }

 private:
  fs::path path_;
};

}  // namespace

bool is_session_id(std::string_view id) noexcept {
  constexpr std::size_t longest = 128;
  return !id.empty() && id.size() <= longest && id.front() != '.' && std::all_of(id.begin(), id.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_' ||
           c == '.';
  });
}

Result<SavedSession> SavedSession::create(const fs::path& directory, std::string runtime) {
  const fs::path home = directory / runtime;
  if (const int error = make_private_directories(home); error != 0) {
    return failure(ErrorCode::io, "--session-dir " + directory.string() + " cannot be made: " + system_text(error),
                   "Name a directory that you may write");
  }
  if (::access(home.c_str(), W_OK | X_OK) != 0) {
    return failure(ErrorCode::io, "--session-dir " + directory.string() + " cannot be written: " + system_text(errno),
                   "Name a directory that you may write");
  }
  return SavedSession(home, std::move(runtime));
}

Result<SavedSession> SavedSession::resume(const fs::path& directory, std::string runtime, std::string id) {
  if (!is_session_id(id)) {
    return failure(ErrorCode::usage, "--resume: that is not the id of a session",
                   "Take the id from the end event of a run with that --session-dir");
  }
  const fs::path home = directory / runtime;
  const fs::path saved = home / id;
  Descriptor lock = open_directory(saved);
  if (!lock.valid()) return unknown(directory, runtime, id);
  // A run that has just ended has put another directory in the place of the one that was opened here.
  if (try_lock(lock.get()) == LockAttempt::held_by_another || !is_still(saved, lock.get())) {
    return failure(ErrorCode::usage, "--resume " + id + ": another run goes on with that session",
                   "Wait for its end, or start a new session");
  }
  auto note = read_note(saved / note_name);
  if (!note) return tl::unexpected(note.error());
  if (note->runtime != runtime || note->id != id) return unknown(directory, runtime, id);
  SavedSession session(home, std::move(runtime));
  session.note_ = std::move(*note);
  session.lock_ = std::move(lock);
  return session;
}

SavedSession::SavedSession(SavedSession&& other) noexcept
    : home_(std::move(other.home_)),
      runtime_(std::move(other.runtime_)),
      note_(std::move(other.note_)),
      lock_(std::move(other.lock_)),
      placed_(std::exchange(other.placed_, std::nullopt)) {}

SavedSession::~SavedSession() {
  if (placed_) remove_placed(*placed_);
}

Result<void> SavedSession::place(const SessionRecord& record) {
  if (!note_) return {};
  if (const int error = make_private_directories(record.directory); error != 0) {
    return failure(ErrorCode::io,
                   "the saved session cannot be copied to " + record.directory.string() + ": " + system_text(error),
                   "Check the space and the permissions of that directory");
  }
  placed_ = record;
  const auto copied = copy_record(home_ / note_->id / record_name, {}, record.directory);
  if (!copied) return tl::unexpected(copied.error());
  if (*copied > 0) return {};
  return failure(ErrorCode::io, "--resume " + note_->id + ": the saved session has no files", "Start a new session");
}

Result<bool> SavedSession::save(const SessionRecord& record, SessionNote note) {
  if (!is_session_id(note.id)) return cannot_save(home_ / "?", EINVAL);
  note.runtime = runtime_;
  note.created = note_ ? note_->created : note_time();
  const fs::path saved = home_ / note.id;
  const auto random = random_session_id();
  if (!random) return tl::unexpected(random.error());
  const Draft draft(home_ / (".new-" + *random));
  const fs::path files = draft.path() / record_name;
  if (::mkdir(draft.path().c_str(), S_IRWXU) != 0 || ::mkdir(files.c_str(), S_IRWXU) != 0) {
    return cannot_save(draft.path(), errno);
  }
  const auto copied = copy_record(record.directory, record.entries, files);
  if (!copied) return tl::unexpected(copied.error());
  if (*copied == 0) return false;
  if (auto written = write_file(draft.path() / note_name, to_json(note)); !written) {
    return tl::unexpected(written.error());
  }
  // The draft's name then holds the old record, and the draft removes it.
  int error = exchange_names(draft.path(), saved);
  if (error == ENOENT) error = ::rename(draft.path().c_str(), saved.c_str()) == 0 ? 0 : errno;
  if (error != 0) return cannot_save(saved, error);
  remove_placed(record);
  placed_.reset();
  return true;
}

}  // namespace agentrun::host
