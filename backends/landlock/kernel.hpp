#pragma once
// What this kernel offers.

namespace agentrun::landlock {

struct Kernel {
  int abi = 0;              ///< of Landlock; 0: `error` says why there is none
  int error = 0;            ///< ENOSYS: not built in; EOPNOTSUPP: switched off at boot
  bool supervises = false;  ///< system calls can be handed to another process (seccomp user notification, Linux 5.0)
};

/// Asks and changes nothing.
[[nodiscard]] Kernel this_kernel() noexcept;

}  // namespace agentrun::landlock
