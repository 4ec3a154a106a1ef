#include "stream.hpp"

#include <sys/socket.h>
#include <unistd.h>

namespace agentrun::proxy {

int Stream::adopt(int descriptor, int family) noexcept {
  boost::system::error_code error;
  socket_.assign(boost::asio::generic::stream_protocol(family, 0), descriptor, error);
  if (error) {
    ::close(descriptor);
    return error.value();
  }
  descriptor_ = descriptor;
  return 0;
}

void Stream::cancel() noexcept {
  boost::system::error_code ignored;
  socket_.cancel(ignored);
}

void Stream::shutdown_sending() noexcept { ::shutdown(descriptor_, SHUT_WR); }

void Stream::close() noexcept {
  boost::system::error_code ignored;
  socket_.close(ignored);
  descriptor_ = -1;
}

void Stream::reset() noexcept {
  if (is_open()) reset_on_close(descriptor_);
  close();
}

}  // namespace agentrun::proxy
