#pragma once
// How the helper says that the sandbox cannot start. The backend knows it by the prefix and the exit code.

namespace agentrun::landlock {

inline constexpr int refused = 125;
inline constexpr int not_executable = 126;
inline constexpr int not_found = 127;

/// "agentrun-landlock: WHAT: the text of errno" on standard error, then the exit code `refused`.
[[noreturn]] void fail(const char* what) noexcept;
/// The same without errno.
[[noreturn]] void fail_plainly(const char* what) noexcept;

}  // namespace agentrun::landlock
