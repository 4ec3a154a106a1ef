#include "loopback_socket.hpp"

#include <netinet/in.h>
#include <sys/random.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstdio>

namespace agentrun::landlock {

LoopbackSockets::LoopbackSockets() {
  if (std::FILE* file = std::fopen("/proc/sys/net/ipv4/ip_local_port_range", "re")) {
    unsigned first = 0;
    unsigned last = 0;
    if (std::fscanf(file, "%u %u", &first, &last) == 2 && first > 0 && last >= first && last < 65536) {
      first_ = first;
      count_ = last - first + 1;
    }
    std::fclose(file);
  }
  if (::getrandom(&next_, sizeof next_, GRND_NONBLOCK) < 0) next_ = 0;
}

Descriptor LoopbackSockets::make(int flags) {
  Descriptor made(::socket(AF_INET, SOCK_STREAM | flags, 0));
  if (!made.valid()) return made;
  sockaddr_in name{};
  name.sin_family = AF_INET;
  name.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  // Ports are taken by others, or rest after a connection (TIME_WAIT).
  for (std::uint32_t tries = 0; tries < count_; ++tries) {
    // A step that shares no factor with most ranges, so that all are visited and neighbours are not.
    next_ += 7919;
    name.sin_port = htons(static_cast<std::uint16_t>(first_ + next_ % count_));
    if (::bind(made.get(), reinterpret_cast<const sockaddr*>(&name), sizeof name) == 0) return made;
    if (errno != EADDRINUSE) break;
  }
  return {};
}

}  // namespace agentrun::landlock
