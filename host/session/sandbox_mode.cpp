#include "session/sandbox_mode.hpp"

namespace agentrun::host {

std::string_view to_string(SandboxMode mode) noexcept {
  switch (mode) {
    case SandboxMode::on:
      return "on";
    case SandboxMode::relax:
      return "relax";
    case SandboxMode::off:
      return "off";
  }
  return "";
}

std::optional<SandboxMode> parse_sandbox_mode(std::string_view text) noexcept {
  for (const auto mode : {SandboxMode::on, SandboxMode::relax, SandboxMode::off}) {
    if (text == to_string(mode)) return mode;
  }
  return std::nullopt;
}

Result<SandboxMode> choose_sandbox_mode(const std::optional<SandboxMode>& option,
                                        const std::optional<std::string>& variable) {
  if (option) return *option;
  if (!variable) return SandboxMode::on;
  if (const auto mode = parse_sandbox_mode(*variable)) return *mode;
  return failure(ErrorCode::usage, "invalid AGENTRUN_SANDBOX value '" + *variable + "': expected on, relax or off");
}

}  // namespace agentrun::host
