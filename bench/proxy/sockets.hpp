#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "system/descriptor.hpp"

/// What the proxy benchmarks' own programs share. They stop with a message at the first surprise: a measurement that
/// went on after one would mean nothing.
namespace agentrun::bench {

[[noreturn]] inline void stop(const char* what) {
  std::perror(what);
  std::exit(2);
}

using host::Descriptor;

/// Of an IPv4 loopback port, or of a unix socket.
struct Address {
  sockaddr_storage storage{};
  socklen_t size = 0;

  [[nodiscard]] int family() const noexcept { return storage.ss_family; }
  [[nodiscard]] const sockaddr* name() const noexcept { return reinterpret_cast<const sockaddr*>(&storage); }
};

inline Address loopback(std::uint16_t port) {
  sockaddr_in name{};
  name.sin_family = AF_INET;
  name.sin_port = htons(port);
  name.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  Address address{{}, sizeof name};
  std::memcpy(&address.storage, &name, sizeof name);
  return address;
}

inline Address unix_path(const std::string& path) {
  sockaddr_un name{};
  name.sun_family = AF_UNIX;
  if (path.size() >= sizeof name.sun_path) {
    errno = ENAMETOOLONG;
    stop(path.c_str());
  }
  std::memcpy(name.sun_path, path.c_str(), path.size());
  Address address{{}, sizeof name};
  std::memcpy(&address.storage, &name, sizeof name);
  return address;
}

/// A path when it has a slash, else a port.
inline Address place(const std::string& text) {
  if (text.find('/') != std::string::npos) return unix_path(text);
  return loopback(static_cast<std::uint16_t>(std::atoi(text.c_str())));
}

/// Without it a small answer waits for the acknowledgement of the one before.
inline void send_at_once(int socket) {
  const int on = 1;
  ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

/// Non-blocking.
inline Descriptor listen_on(const Address& address) {
  Descriptor socket(::socket(address.family(), SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  constexpr int backlog = 4096;
  if (!socket.valid() || ::bind(socket.get(), address.name(), address.size) != 0 ||
      ::listen(socket.get(), backlog) != 0) {
    stop("listen");
  }
  return socket;
}

inline std::uint16_t port_of(const Descriptor& listener) {
  sockaddr_in name{};
  socklen_t size = sizeof name;
  if (::getsockname(listener.get(), reinterpret_cast<sockaddr*>(&name), &size) != 0) stop("getsockname");
  return ntohs(name.sin_port);
}

/// Begins to connect, without waiting. A unix listener whose backlog is full gives EAGAIN, and only a blocking connect
/// waits for room in it.
inline Descriptor dial(const Address& address) {
  const bool is_unix = address.family() == AF_UNIX;
  Descriptor socket(::socket(address.family(), SOCK_STREAM | SOCK_CLOEXEC | (is_unix ? 0 : SOCK_NONBLOCK), 0));
  if (!socket.valid()) return socket;
  if (!is_unix) send_at_once(socket.get());
  if (::connect(socket.get(), address.name(), address.size) != 0 && errno != EINPROGRESS) return Descriptor();
  return socket;
}

inline void raise_descriptor_limit() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

}  // namespace agentrun::bench
