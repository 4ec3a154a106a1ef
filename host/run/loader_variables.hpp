#pragma once
// Variables that make the dynamic loader run code from a path.

#include <filesystem>
#include <vector>

#include "agentrun/environment.hpp"
#include "agentrun/result.hpp"

namespace agentrun::host {

/// A wrapper is started outside the sandbox with the session's environment: a loader variable that leads to where the
/// agent may write would run the agent's code there. Refused with ErrorCode::untrusted. Relative paths start from
/// `cwd`.
[[nodiscard]] Result<void> check_loader_variables(const Environment& session, const std::filesystem::path& cwd,
                                                  const std::vector<std::filesystem::path>& writable);

}  // namespace agentrun::host
