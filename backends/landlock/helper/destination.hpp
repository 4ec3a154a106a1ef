#pragma once
// Where a connection may go.

#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <cstdint>
#include <string>
#include <vector>

#include "caller.hpp"
#include "descriptor.hpp"
#include "options.hpp"

namespace agentrun::landlock {

/// An allowed address, or why not (a number of errno).
struct Destination {
  int error = 0;
  int family = AF_UNSPEC;
  union {
    sockaddr_un local;  // first: {} clears no more than the first one
    sockaddr_in internet;
    sockaddr any;
  } address{};
  socklen_t size = 0;
  Descriptor held;  ///< the unix socket that was judged; the address goes through it
};

/// The proxy's address when the network is proxied. Else ECONNREFUSED on loopback and ENETUNREACH elsewhere, as behind
/// a network namespace.
[[nodiscard]] Destination judge_internet(const sockaddr_in& wanted, const Options& options) noexcept;

/// A path, relative to `caller`'s working directory, of a socket that really lies below one of the writable
/// directories, or is one that was allowed. Else EACCES; abstract sockets EPERM.
[[nodiscard]] Destination judge_local(const sockaddr_un& wanted, std::size_t size, const Caller& caller,
                                      const Options& options);

}  // namespace agentrun::landlock
