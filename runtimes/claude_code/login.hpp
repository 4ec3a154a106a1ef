#pragma once

#include "agentrun/runtime.hpp"

namespace agentrun::claude_code {

/// Asks claude itself, unless a token is given.
[[nodiscard]] LoginReport login_report(const LoginContext& context);

}  // namespace agentrun::claude_code
