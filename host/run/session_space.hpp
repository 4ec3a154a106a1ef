#pragma once
// The directories of one run: the session directory, left in place under --debug, and the private homes.

#include <filesystem>
#include <optional>
#include <vector>

#include "agentrun/host/options.hpp"
#include "agentrun/runtime.hpp"
#include "session/session_directory.hpp"

namespace agentrun::host {

/// In a dry run only names: nothing is created.
class SessionSpace {
 public:
  /// Also removes what killed runs have left.
  [[nodiscard]] static Result<SessionSpace> make(const SessionOptions& options, const Caller& caller);

  [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }
  [[nodiscard]] const std::filesystem::path& parent() const noexcept { return parent_; }
  [[nodiscard]] bool exists() const noexcept { return directory_.has_value(); }

  /// Makes the homes with their links. Their paths, in the same order.
  [[nodiscard]] Result<std::vector<std::filesystem::path>> make_homes(const std::vector<PrivateHome>& homes);

  /// At the end of the run, the homes too. Says what could not be removed.
  [[nodiscard]] Result<void> remove();

 private:
  [[nodiscard]] Result<std::filesystem::path> make_home(const PrivateHome& home);

  std::filesystem::path path_;
  std::filesystem::path parent_;
  std::optional<SessionDirectory> directory_;
};

}  // namespace agentrun::host
