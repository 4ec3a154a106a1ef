#pragma once
// Why bwrap cannot be used here, and what to do about it. The reader sees "sandbox is not available: " in front.

#include <string_view>

#include "agentrun/backend.hpp"
#include "agentrun/result.hpp"
#include "version.hpp"

namespace agentrun::bwrap {

[[nodiscard]] Error wsl1();
[[nodiscard]] Error bwrap_missing();
[[nodiscard]] Error socat_missing();
[[nodiscard]] Error bwrap_too_old(const Version& found);

/// Always names both remedies: the text of bwrap's error differs from user to user and does not tell a container from
/// a restricted host.
[[nodiscard]] Error bwrap_cannot_start(const CheckRun& run);

}  // namespace agentrun::bwrap
