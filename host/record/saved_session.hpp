#pragma once
// A session that outlives its run: DIR/RUNTIME/ID/ with the runtime's own files below record/ and a session.json.

#include <filesystem>
#include <optional>
#include <string>

#include "agentrun/result.hpp"
#include "agentrun/runtime.hpp"
#include "record/session_note.hpp"
#include "system/file.hpp"

namespace agentrun::host {

class SavedSession {
 public:
  /// A new session below `directory` (--session-dir), which is made, mode 0700, unless it exists.
  [[nodiscard]] static Result<SavedSession> create(const std::filesystem::path& directory, std::string runtime);

  /// The saved session `id`. Refused when there is none, when it is another runtime's, and while another run goes on
  /// with it: it is locked (flock) until this object is gone.
  [[nodiscard]] static Result<SavedSession> resume(const std::filesystem::path& directory, std::string runtime,
                                                   std::string id);

  SavedSession(SavedSession&& other) noexcept;
  SavedSession& operator=(SavedSession&&) = delete;
  SavedSession(const SavedSession&) = delete;
  SavedSession& operator=(const SavedSession&) = delete;
  /// Takes away again what place() put among files of the user's.
  ~SavedSession();

  /// Copies the saved record to where the runtime expects it. Does nothing for a new session.
  [[nodiscard]] Result<void> place(const SessionRecord& record);

  /// Moves the record from where the runtime keeps it into the directory, in one step. False when the runtime has
  /// left none. `note` gets the time of the first run.
  [[nodiscard]] Result<bool> save(const SessionRecord& record, SessionNote note);

 private:
  SavedSession(std::filesystem::path home, std::string runtime)
      : home_(std::move(home)), runtime_(std::move(runtime)) {}

  std::filesystem::path home_;  ///< DIR/RUNTIME
  std::string runtime_;
  std::optional<SessionNote> note_;  ///< of the session that is resumed
  Descriptor lock_;
  std::optional<SessionRecord> placed_;
};

/// Letters, digits, '-', '_' and '.', not first a '.', at most 128: no id leads out of the directory.
[[nodiscard]] bool is_session_id(std::string_view id) noexcept;

}  // namespace agentrun::host
