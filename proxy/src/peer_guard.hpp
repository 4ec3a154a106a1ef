#pragma once
// Who may use the TCP port: every user of the machine can connect to 127.0.0.1.

#include <cstdint>
#include <memory>

namespace agentrun::proxy {

class PeerGuard {
 public:
  virtual ~PeerGuard() = default;
  /// `descriptor` is an accepted connection. Whatever cannot be told is refused.
  [[nodiscard]] virtual bool admits(int descriptor) noexcept = 0;
};

/// Admits connections whose other end is a socket of this process's user. For one thread, and for one
/// listener, bound to one address.
[[nodiscard]] std::unique_ptr<PeerGuard> make_same_user_guard();

}  // namespace agentrun::proxy
