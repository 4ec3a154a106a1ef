#pragma once
// --image: what counts as one, and the copies that the runtime gets.

#include <filesystem>
#include <vector>

#include "agentrun/result.hpp"

namespace agentrun::host {

/// Absolute paths, relative ones from `cwd`. Refused (usage): a file that is missing, cannot be read, is not a
/// regular file, or is not PNG, JPEG, GIF or WebP by its first bytes.
[[nodiscard]] Result<std::vector<std::filesystem::path>> check_images(const std::vector<std::filesystem::path>& images,
                                                                      const std::filesystem::path& cwd);

/// Copies checked images into the session directory as image-1.png, image-2.jpg, … (0600): names of the user's
/// files never reach a runtime's command line. The kind is judged again, from the bytes that are copied.
[[nodiscard]] Result<std::vector<std::filesystem::path>> copy_images(const std::vector<std::filesystem::path>& images,
                                                                     const std::filesystem::path& session_directory);

}  // namespace agentrun::host
