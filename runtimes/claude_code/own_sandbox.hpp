#pragma once

namespace agentrun::claude_code {

/// The backend that stands for the sandbox that claude runs on this platform.
[[nodiscard]] const char* own_sandbox() noexcept;

}  // namespace agentrun::claude_code
