#include "dial.hpp"

#include <sys/socket.h>

#include <cerrno>

namespace agentrun::proxy {
namespace {

constexpr bool is_loopback(std::uint32_t address) noexcept { return address >> 24 == 127; }

/// On loopback the handshake is over before connect() returns, although that says EINPROGRESS; asking again saves a
/// wait. 0 or EALREADY-like: not yet.
int connect_now(int descriptor, std::uint32_t address, std::uint16_t port) noexcept {
  const int error = connect_to(descriptor, address, port);
  if (error != EINPROGRESS || !is_loopback(address)) return error;
  const int again = connect_to(descriptor, address, port);
  return again == EALREADY ? EINPROGRESS : again;
}

}  // namespace

Task<int> Dialer::dial(const Addresses& addresses, std::uint16_t port) {
  int error = EHOSTUNREACH;
  for (const std::uint32_t address : addresses) {
    error = co_await dial_one(address, port);
    if (error == 0 || error == ECANCELED) break;
  }
  co_return error;
}

Task<int> Dialer::dial_one(std::uint32_t address, std::uint16_t port) {
  if (cancelled_) co_return ECANCELED;
  const SocketResult socket = open_tcp_socket();
  if (socket.error != 0) co_return socket.error;
  if (const int error = stream_.adopt(socket.descriptor, AF_INET); error != 0) co_return error;
  send_without_delay(socket.descriptor);

  int error = connect_now(socket.descriptor, address, port);
  if (error == EINPROGRESS) {
    timed_out_ = false;
    loop_.limits().connect.start(*this);
    const bool is_ready = co_await stream_.ready(Readiness::writable);
    cancel_deadline();
    if (cancelled_) {
      error = ECANCELED;
    } else if (timed_out_) {
      error = ETIMEDOUT;
    } else {
      error = is_ready ? pending_error(stream_.descriptor()) : ECANCELED;
    }
  }
  if (error != 0) stream_.close();
  co_return error;
}

void Dialer::cancel() noexcept {
  cancelled_ = true;
  if (stream_.is_open()) stream_.cancel();
}

void Dialer::on_deadline() {
  timed_out_ = true;
  stream_.cancel();
}

}  // namespace agentrun::proxy
