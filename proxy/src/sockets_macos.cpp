#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>

#include "sockets.hpp"

namespace agentrun::proxy {
namespace {

/// macOS has neither SOCK_CLOEXEC nor MSG_NOSIGNAL: both are set on the socket.
SocketResult prepare(int descriptor) noexcept {
  if (descriptor < 0) return {-1, errno};
  const int on = 1;
  if (::fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0 && ::fcntl(descriptor, F_SETFL, O_NONBLOCK) == 0 &&
      ::setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &on, sizeof on) == 0)
    return {descriptor, 0};
  const int error = errno;
  ::close(descriptor);
  return {-1, error};
}

}  // namespace

SocketResult open_tcp_socket() noexcept { return prepare(::socket(AF_INET, SOCK_STREAM, 0)); }

SocketResult open_unix_socket() noexcept { return prepare(::socket(AF_UNIX, SOCK_STREAM, 0)); }

SocketResult accept_from(int listener) noexcept {
  for (;;) {
    const int descriptor = ::accept(listener, nullptr, nullptr);
    if (descriptor >= 0) return prepare(descriptor);
    if (errno != EINTR && errno != ECONNABORTED) return {-1, errno};
  }
}

IoResult send_some(int descriptor, std::string_view bytes) noexcept {
  for (;;) {
    const ssize_t count = ::send(descriptor, bytes.data(), bytes.size(), 0);
    if (count >= 0) return {static_cast<std::size_t>(count), 0};
    if (errno != EINTR) return {0, errno};
  }
}

}  // namespace agentrun::proxy
