#include "sockets.hpp"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <cerrno>

namespace agentrun::proxy {

bool IoResult::would_block() const noexcept { return error == EAGAIN || error == EWOULDBLOCK; }

IoResult receive_some(int descriptor, char* buffer, std::size_t size) noexcept {
  for (;;) {
    const ssize_t count = ::recv(descriptor, buffer, size, 0);
    if (count >= 0) return {static_cast<std::size_t>(count), 0};
    if (errno != EINTR) return {0, errno};
  }
}

int connect_to(int descriptor, std::uint32_t address, std::uint16_t port) noexcept {
  sockaddr_in name{};
  name.sin_family = AF_INET;
  name.sin_port = htons(port);
  name.sin_addr.s_addr = htonl(address);
  const auto* const generic = reinterpret_cast<const sockaddr*>(&name);
  if (::connect(descriptor, generic, sizeof name) == 0) return 0;
  // Interrupted: it goes on in the background, as with EINPROGRESS.
  return errno == EINTR ? EINPROGRESS : errno;
}

int pending_error(int descriptor) noexcept {
  int error = 0;
  socklen_t size = sizeof error;
  return ::getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &error, &size) == 0 ? error : errno;
}

void send_without_delay(int descriptor) noexcept {
  const int on = 1;
  ::setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

void reset_on_close(int descriptor) noexcept {
  const linger abort{1, 0};
  ::setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &abort, sizeof abort);
}

}  // namespace agentrun::proxy
