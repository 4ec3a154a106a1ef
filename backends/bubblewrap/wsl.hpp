#pragma once
#include <string_view>

namespace agentrun::bwrap {

/// The first Windows Subsystem for Linux, which translates system calls and has no namespaces. `release` is the content
/// of /proc/sys/kernel/osrelease: "4.4.0-19041-Microsoft" there, "5.15.90.1-microsoft-standard-WSL2" on the second.
[[nodiscard]] bool is_wsl1(std::string_view release) noexcept;

}  // namespace agentrun::bwrap
