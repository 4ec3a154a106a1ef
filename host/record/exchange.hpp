#pragma once
// Putting one directory in the place of another in one step. Implemented for each platform.

#include <filesystem>

namespace agentrun::host {

/// Both must exist, on one filesystem. 0, or the errno value of the failure.
[[nodiscard]] int exchange_names(const std::filesystem::path& one, const std::filesystem::path& other);

}  // namespace agentrun::host
