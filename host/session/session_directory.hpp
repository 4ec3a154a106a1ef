#pragma once
// A run's own directory: made before the run, gone after it, and cleaned up by a later run if agentrun was killed.
//
// Names. The directory is `agentrun-ID`, ID 16 lower-case hexadecimal digits. Private homes that may not lie inside
// are made beside it as `agentrun-ID-NAME` (companion()). `agentrun-ID.kept` beside it says that --debug keeps it:
// beside, because the agent can write inside. Nothing else in the parent is ever touched.
//
// Owners. A live owner holds flock(2) on the directory itself: the kernel drops it when the owner dies, however it
// dies, and an agent cannot take it while the owner lives.

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "agentrun/environment.hpp"
#include "agentrun/result.hpp"
#include "system/file.hpp"

namespace agentrun::host {

class SessionDirectory {
 public:
  /// Makes the directory in parent_for(caller), mode 0700.
  [[nodiscard]] static Result<SessionDirectory> create(const Environment& caller);

  /// The caller's $TMPDIR, /tmp when that is unset or empty; absolute, links resolved when it exists.
  [[nodiscard]] static std::filesystem::path parent_for(const Environment& caller);

  SessionDirectory(SessionDirectory&& other) noexcept;
  SessionDirectory& operator=(SessionDirectory&& other) noexcept;
  SessionDirectory(const SessionDirectory&) = delete;
  SessionDirectory& operator=(const SessionDirectory&) = delete;
  /// Removes it with everything below and its companions, unless kept. Processes of the agent must be gone.
  ~SessionDirectory();

  /// A real path.
  [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }
  [[nodiscard]] std::filesystem::path parent() const { return path_.parent_path(); }

  /// Makes the directory `agentrun-ID-NAME` beside it, mode 0700, removed with it. NAME: lower-case letters.
  [[nodiscard]] Result<std::filesystem::path> companion(std::string_view name);

  /// From now on nobody removes it: neither this object nor a later run.
  [[nodiscard]] Result<void> keep();

  /// What the destructor does, for those who want to say what could not be removed. Does nothing the second time.
  [[nodiscard]] Result<void> remove();

 private:
  SessionDirectory(std::filesystem::path path, Descriptor directory) noexcept;

  std::filesystem::path path_;
  Descriptor directory_;  ///< locked; closed when there is nothing left to remove
  std::vector<std::filesystem::path> companions_;
};

/// Removes the session directories in `parent` that belong to this user, whose owner is dead and that are not kept,
/// with their companions. Failures are left for the next time. Reads `parent` once.
void remove_abandoned(const std::filesystem::path& parent);

}  // namespace agentrun::host
