#pragma once
// Why the backend cannot confine here, and what to do about it.

#include <filesystem>

#include "agentrun/backend.hpp"
#include "agentrun/result.hpp"
#include "kernel.hpp"

namespace agentrun::landlock {

[[nodiscard]] Error no_landlock(const Kernel& kernel);
[[nodiscard]] Error helper_missing(const std::filesystem::path& expected);
[[nodiscard]] Error cannot_start(const CheckRun& run);
[[nodiscard]] Error network_not_limited();
[[nodiscard]] Error no_private_tmp();
[[nodiscard]] Error hidden_inside_writable(const std::filesystem::path& hidden, const std::filesystem::path& writable);

}  // namespace agentrun::landlock
