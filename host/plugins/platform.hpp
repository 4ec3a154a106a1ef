#pragma once
// The two questions whose answer differs between Linux and macOS.

#include "plugins/module_image.hpp"

namespace agentrun::host {

/// The process has more rights than its caller (set-user-id, set-group-id, file capabilities), so that the caller's
/// environment must not choose which code it runs.
[[nodiscard]] bool elevated() noexcept;

/// The format of shared objects here.
[[nodiscard]] ModuleImage::Format native_format() noexcept;

}  // namespace agentrun::host
