#include <sys/socket.h>

#include <cerrno>

#include "sockets.hpp"

namespace agentrun::proxy {
namespace {

SocketResult open_socket(int family) noexcept {
  const int descriptor = ::socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  return {descriptor, descriptor < 0 ? errno : 0};
}

}  // namespace

SocketResult open_tcp_socket() noexcept { return open_socket(AF_INET); }

SocketResult open_unix_socket() noexcept { return open_socket(AF_UNIX); }

SocketResult accept_from(int listener) noexcept {
  for (;;) {
    const int descriptor = ::accept4(listener, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (descriptor >= 0) return {descriptor, 0};
    if (errno != EINTR && errno != ECONNABORTED) return {-1, errno};
  }
}

IoResult send_some(int descriptor, std::string_view bytes) noexcept {
  for (;;) {
    const ssize_t count = ::send(descriptor, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (count >= 0) return {static_cast<std::size_t>(count), 0};
    if (errno != EINTR) return {0, errno};
  }
}

}  // namespace agentrun::proxy
