#pragma once
// Directories that only their owner may enter.

#include <filesystem>

namespace agentrun::host {

/// New directories get mode 0700, existing ones stay as they are. 0, or the errno value of what failed.
[[nodiscard]] int make_private_directories(const std::filesystem::path& directory);

}  // namespace agentrun::host
