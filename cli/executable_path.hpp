#pragma once

#include <filesystem>

#include "agentrun/result.hpp"

namespace agentrun::cli {

/// The file of the running program, links resolved; plugins are looked for beside it.
[[nodiscard]] Result<std::filesystem::path> executable_path();

}  // namespace agentrun::cli
