#include "support/origin.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace agentrun::proxy::test {

Origin::Origin(int backlog) : descriptor_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  sockaddr_in name{};
  name.sin_family = AF_INET;
  name.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof name;
  auto* const generic = reinterpret_cast<sockaddr*>(&name);
  if (descriptor_ < 0 || ::bind(descriptor_, generic, size) != 0 || ::listen(descriptor_, backlog) != 0 ||
      ::getsockname(descriptor_, generic, &size) != 0)
    throw std::system_error(errno, std::generic_category(), "origin");
  port_ = ntohs(name.sin_port);
}

Origin::~Origin() { ::close(descriptor_); }

Peer Origin::accept() {
  pollfd waiting{descriptor_, POLLIN, 0};
  if (::poll(&waiting, 1, 20'000) != 1) throw std::runtime_error("nobody has connected to the origin");
  const int descriptor = ::accept4(descriptor_, nullptr, nullptr, SOCK_CLOEXEC);
  if (descriptor < 0) throw std::system_error(errno, std::generic_category(), "accept");
  return Peer(descriptor);
}

bool Origin::is_quiet(int milliseconds) const {
  pollfd waiting{descriptor_, POLLIN, 0};
  return ::poll(&waiting, 1, milliseconds) == 0;
}

std::uint16_t closed_port() {
  const Origin gone;
  return gone.port();
}

}  // namespace agentrun::proxy::test
