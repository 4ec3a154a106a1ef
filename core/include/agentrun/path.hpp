#pragma once
// Questions about paths that decide what a sandbox holds.

#include <filesystem>
#include <optional>
#include <string_view>

namespace agentrun {

/// True when `inner` is `outer` or lies below it. Both exist: compared with links resolved; else textually after
/// removing "." and "..", so that "/w/../x" is not inside "/w".
[[nodiscard]] bool contains(const std::filesystem::path& outer, const std::filesystem::path& inner);

/// Absolute and lexically normal, without a trailing slash; a relative path starts from `base`.
[[nodiscard]] std::filesystem::path absolute_from(const std::filesystem::path& base, const std::filesystem::path& path);

/// With links resolved when it exists, else absolute_from("/", path).
[[nodiscard]] std::filesystem::path real_path(const std::filesystem::path& path);

/// A path that the agent must not read, as the backends need it.
struct HiddenPath {
  std::filesystem::path path;  ///< links resolved
  bool directory = false;

  friend bool operator==(const HiddenPath&, const HiddenPath&) = default;
};

/// Nothing when the path does not exist (an agent can create files only where it may write, so there is nothing to
/// hide), or when it is neither a directory nor something that can be opened as a file.
[[nodiscard]] std::optional<HiddenPath> hidden(const std::filesystem::path& path);

}  // namespace agentrun
