#include "support/peer.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

namespace agentrun::proxy::test {
namespace {

constexpr int patience_ms = 20'000;

[[noreturn]] void fail(const char* what) { throw std::system_error(errno, std::generic_category(), what); }

Peer connected(int family, const sockaddr* name, socklen_t size) {
  const int descriptor = ::socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (descriptor < 0) fail("socket");
  Peer peer(descriptor);
  if (::connect(descriptor, name, size) != 0) fail("connect");
  return peer;
}

}  // namespace

Peer::Peer(Peer&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}

Peer& Peer::operator=(Peer&& other) noexcept {
  close();
  descriptor_ = std::exchange(other.descriptor_, -1);
  return *this;
}

Peer Peer::connect(std::uint16_t port) {
  sockaddr_in name{};
  name.sin_family = AF_INET;
  name.sin_port = htons(port);
  name.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  Peer peer = connected(AF_INET, reinterpret_cast<const sockaddr*>(&name), sizeof name);
  const int on = 1;
  ::setsockopt(peer.descriptor(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  return peer;
}

Peer Peer::connect(const std::filesystem::path& unix_socket) {
  sockaddr_un name{};
  name.sun_family = AF_UNIX;
  std::strncpy(name.sun_path, unix_socket.c_str(), sizeof name.sun_path - 1);
  return connected(AF_UNIX, reinterpret_cast<const sockaddr*>(&name), sizeof name);
}

bool Peer::try_send(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::send(descriptor_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (count < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

void Peer::send(std::string_view bytes) {
  if (!try_send(bytes)) fail("send");
}

void Peer::send_byte_by_byte(std::string_view bytes) {
  for (const char& byte : bytes) send({&byte, 1});
}

Received Peer::receive(std::size_t count) {
  Received received;
  char buffer[65536];
  while (received.bytes.size() < count) {
    pollfd waiting{descriptor_, POLLIN, 0};
    if (::poll(&waiting, 1, patience_ms) <= 0) {
      received.ending = Ending::too_late;
      break;
    }
    const std::size_t wanted = std::min(sizeof buffer, count - received.bytes.size());
    const ssize_t got = ::recv(descriptor_, buffer, wanted, 0);
    if (got <= 0) {
      received.ending = got == 0 ? Ending::orderly : Ending::reset;
      break;
    }
    received.bytes.append(buffer, static_cast<std::size_t>(got));
  }
  return received;
}

std::string Peer::receive_through(std::string_view mark) {
  std::string text;
  while (!text.ends_with(mark)) {
    const Received next = receive(1);
    if (next.bytes.empty()) break;
    text += next.bytes;
  }
  return text;
}

Received Peer::receive_all() { return receive(SIZE_MAX); }

bool Peer::is_quiet(int milliseconds) const {
  pollfd waiting{descriptor_, POLLIN, 0};
  return ::poll(&waiting, 1, milliseconds) == 0;
}

void Peer::shutdown_sending() { ::shutdown(descriptor_, SHUT_WR); }

void Peer::close() noexcept {
  if (descriptor_ >= 0) ::close(std::exchange(descriptor_, -1));
}

void Peer::reset() noexcept {
  const linger abort{1, 0};
  ::setsockopt(descriptor_, SOL_SOCKET, SO_LINGER, &abort, sizeof abort);
  close();
}

}  // namespace agentrun::proxy::test
