#pragma once
// The socket calls that differ between systems, or need the same care everywhere: every descriptor is non-blocking
// and closed on exec (agentrun starts strangers' programs), no call raises SIGPIPE, EINTR is tried again.

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace agentrun::proxy {

/// A descriptor or -1, then `error` is an errno.
struct SocketResult {
  int descriptor = -1;
  int error = 0;
};
[[nodiscard]] SocketResult open_tcp_socket() noexcept;
[[nodiscard]] SocketResult open_unix_socket() noexcept;
[[nodiscard]] SocketResult accept_from(int listener) noexcept;

/// `count` bytes moved; 0 with error 0 from receive_some: the peer has closed its sending side.
struct IoResult {
  std::size_t count = 0;
  int error = 0;

  [[nodiscard]] bool would_block() const noexcept;
};
[[nodiscard]] IoResult receive_some(int descriptor, char* buffer, std::size_t size) noexcept;
[[nodiscard]] IoResult send_some(int descriptor, std::string_view bytes) noexcept;

/// 0, EINPROGRESS or another errno. `address` in host byte order.
[[nodiscard]] int connect_to(int descriptor, std::uint32_t address, std::uint16_t port) noexcept;

/// The result of a connect that was in progress; clears it.
[[nodiscard]] int pending_error(int descriptor) noexcept;

void send_without_delay(int descriptor) noexcept;

/// The next close() sends a reset instead of an orderly end, so that the peer sees that something was cut.
void reset_on_close(int descriptor) noexcept;

}  // namespace agentrun::proxy
