#pragma once
// --sandbox and AGENTRUN_SANDBOX.

#include <optional>
#include <string>
#include <string_view>

#include "agentrun/host/options.hpp"
#include "agentrun/result.hpp"

namespace agentrun::host {

[[nodiscard]] std::string_view to_string(SandboxMode mode) noexcept;
[[nodiscard]] std::optional<SandboxMode> parse_sandbox_mode(std::string_view text) noexcept;

/// `option`, else `variable` (SessionEnvironment::sandbox_setting), else `on`. A bad variable is refused (usage) only
/// where it counts.
[[nodiscard]] Result<SandboxMode> choose_sandbox_mode(const std::optional<SandboxMode>& option,
                                                      const std::optional<std::string>& variable);

}  // namespace agentrun::host
