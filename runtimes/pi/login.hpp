#pragma once

#include "agentrun/result.hpp"
#include "agentrun/runtime.hpp"

namespace agentrun::pi {

/// Starts pi once and ends it when the model begins to answer: its provider and model must be those that were asked
/// for, else those of its settings. pi has no command that tells whether a login works.
[[nodiscard]] Result<LoginReport> check_login(const LoginContext& context);

}  // namespace agentrun::pi
