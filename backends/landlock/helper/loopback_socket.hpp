#pragma once
// TCP sockets that cannot be used to listen to the network.

#include <cstdint>

#include "descriptor.hpp"

namespace agentrun::landlock {

/// A listening socket would be a way out: somebody outside connects to it. listen() needs no bind(), and no filter can
/// tell the family of the socket that it is called on. So every TCP socket is bound to 127.0.0.1 and to a port of its
/// own before the agent gets it; both are explicit, so that the kernel keeps them when the socket is disconnected
/// (SOCK_BINDADDR_LOCK, SOCK_BINDPORT_LOCK) and no second bind() succeeds.
class LoopbackSockets {
 public:
  LoopbackSockets();

  /// `flags`: SOCK_NONBLOCK, SOCK_CLOEXEC. Invalid, with errno.
  [[nodiscard]] Descriptor make(int flags);

 private:
  std::uint32_t first_ = 32768;
  std::uint32_t count_ = 28232;
  std::uint32_t next_ = 0;
};

}  // namespace agentrun::landlock
