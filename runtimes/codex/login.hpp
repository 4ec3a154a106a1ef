#pragma once
// codex's login: one file, auth.json, in its home.

#include <filesystem>

#include "agentrun/environment.hpp"
#include "agentrun/result.hpp"
#include "agentrun/runtime.hpp"

namespace agentrun::codex {

/// CODEX_HOME, else ~/.codex, and "auth.json" in it. Absolute, links not resolved; it need not exist. Refused when
/// neither that variable nor HOME is set.
[[nodiscard]] Result<std::filesystem::path> login_file(const Environment& environment,
                                                       const std::filesystem::path& cwd);

/// Refused when there is none.
[[nodiscard]] Result<void> require_login(const std::filesystem::path& file);

/// Asks codex, in a private home in the scratch directory.
[[nodiscard]] Result<LoginReport> check_login(const LoginContext& context);

}  // namespace agentrun::codex
