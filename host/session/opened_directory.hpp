#pragma once
// Directories known by a descriptor and by a name. The descriptor is what was judged; the name may lead elsewhere by
// now.

#include <filesystem>

#include "agentrun/result.hpp"
#include "system/file.hpp"

namespace agentrun::host {

/// A closed handle, with errno set, when `path` is a link or no directory.
[[nodiscard]] Descriptor open_directory(const std::filesystem::path& path);

/// `path` still names the open directory.
[[nodiscard]] bool is_still(const std::filesystem::path& path, int directory);

enum class LockAttempt { taken, held_by_another, unsupported };

/// flock(2), exclusive, without waiting. `unsupported`: some network filesystems have none.
[[nodiscard]] LockAttempt try_lock(int directory);

/// Removes the open directory with everything below.
[[nodiscard]] Result<void> remove_opened(const std::filesystem::path& path, int directory);

/// The same for a directory of this user; it is no failure when nothing has that name.
[[nodiscard]] Result<void> remove_named(const std::filesystem::path& path);

}  // namespace agentrun::host
