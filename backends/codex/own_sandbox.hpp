#pragma once
// What codex makes its sandbox of on this platform.

#include <string>

#include "agentrun/backend.hpp"

namespace agentrun::codex {

/// Whether it can be made here. In a run codex does not tell: it goes on, each command fails, and it exits with 0.
[[nodiscard]] Result<Readiness> check_own_sandbox(CheckServices& services, const CheckRequest& request);

[[nodiscard]] std::string own_sandbox_denied_text();
[[nodiscard]] StartFailureRule own_sandbox_start_failure();

/// Processes between `codex sandbox` and its command, see SandboxPlan::depth.
[[nodiscard]] unsigned own_sandbox_depth(NetworkAccess::Kind network);

}  // namespace agentrun::codex
