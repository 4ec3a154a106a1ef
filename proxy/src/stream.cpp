#include "stream.hpp"

#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <new>

namespace agentrun::proxy {

int Stream::adopt(int descriptor, int family) noexcept {
  int error = ENOMEM;
  try {
    source_ = reactor_->watch(descriptor);
    error = errno;
  } catch (const std::bad_alloc&) {
    source_ = nullptr;
  }
  if (source_ == nullptr) {
    ::close(descriptor);
    return error;
  }
  descriptor_ = descriptor;
  family_ = family;
  return 0;
}

IoResult Stream::receive(char* buffer, std::size_t size) noexcept {
  const IoResult result = receive_some(descriptor_, buffer, size);
  if (result.would_block()) {
    source_->drained();
  } else if (result.count < size && family_ == AF_INET) {
    // A unix socket's short read can also end at a message that carried descriptors.
    source_->drained_by_short_read();
  }
  return result;
}

IoResult Stream::send(std::string_view bytes) noexcept {
  const IoResult result = send_some(descriptor_, bytes);
  if (result.would_block()) source_->filled();
  return result;
}

SocketResult Stream::accept() noexcept {
  const SocketResult result = accept_from(descriptor_);
  if (IoResult{0, result.error}.would_block()) source_->drained();
  return result;
}

void Stream::cancel() noexcept {
  if (source_ != nullptr) source_->cancel();
}

void Stream::shutdown_sending() noexcept { ::shutdown(descriptor_, SHUT_WR); }

void Stream::close() noexcept {
  if (source_ == nullptr) return;
  reactor_->forget(*std::exchange(source_, nullptr));
  ::close(std::exchange(descriptor_, -1));
}

void Stream::reset() noexcept {
  if (is_open()) reset_on_close(descriptor_);
  close();
}

}  // namespace agentrun::proxy
