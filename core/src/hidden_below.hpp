#pragma once
// One question about hidden paths, for the policy and for what explains it.

#include <filesystem>

#include "agentrun/path.hpp"

namespace agentrun {

/// `path` is hidden by `hiding`. Both are real paths: nothing is looked up.
[[nodiscard]] bool is_below(const std::filesystem::path& path, const HiddenPath& hiding);

}  // namespace agentrun
