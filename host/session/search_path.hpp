#pragma once
// The session PATH: where programs of a run are looked up, and which of them the agent could have planted.

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "agentrun/result.hpp"

namespace agentrun::host {

class SearchPath {
 public:
  /// Where relative paths start.
  struct Bases {
    std::filesystem::path caller;   ///< for --path
    std::filesystem::path session;  ///< for relative and empty entries of PATH, as the runtime would take them
  };

  /// `front` are the --path directories, refused unless they are directories. `path_variable` is PATH of the
  /// assembled environment.
  [[nodiscard]] static Result<SearchPath> make(const std::vector<std::filesystem::path>& front,
                                               std::optional<std::string_view> path_variable, const Bases& bases);

  /// The value of PATH: the --path directories, then the variable as it was.
  [[nodiscard]] std::string text() const { return text_; }
  /// Absolute, in search order.
  [[nodiscard]] const std::vector<std::filesystem::path>& directories() const noexcept { return directories_; }

  /// The first executable regular file of that name, absolute, links not resolved. A name with a slash is a path
  /// from the session's directory and not searched.
  [[nodiscard]] std::optional<std::filesystem::path> find(std::string_view name) const;

  /// The same without files that lie, or whose links lead, inside one of `writable`: the agent could have planted
  /// them, and they would run outside the sandbox.
  [[nodiscard]] std::optional<std::filesystem::path> find_outside(
      std::string_view name, const std::vector<std::filesystem::path>& writable) const;

  /// As find(); ErrorCode::not_found when there is none, ErrorCode::untrusted when the file found could have been
  /// planted (it is not skipped: the caller meant this one).
  [[nodiscard]] Result<std::filesystem::path> find_runtime(std::string_view name,
                                                           const std::vector<std::filesystem::path>& writable) const;

 private:
  SearchPath() = default;
  std::string text_;
  std::vector<std::filesystem::path> directories_;
  std::filesystem::path session_;
};

}  // namespace agentrun::host
