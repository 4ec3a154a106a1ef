#include "process/output_queue.hpp"

#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>

namespace agentrun::host {

OutputQueue::OutputQueue(int fd) noexcept : fd_(fd) {
  struct stat facts {};
  if (::fstat(fd, &facts) == 0) {
    socket_ = S_ISSOCK(facts.st_mode);
    regular_ = S_ISREG(facts.st_mode);
  }
}

void OutputQueue::push(std::string_view bytes) {
  if (!broken()) pending_.append(bytes);
}

/// True when something was written and more may go.
bool OutputQueue::write_some() {
  const char* data = pending_.data() + written_;
  std::size_t size = pending_.size() - written_;
  ssize_t count = 0;
  if (socket_) {
    count = ::send(fd_, data, size, MSG_DONTWAIT | MSG_NOSIGNAL);
  } else {
    if (!regular_) {
      pollfd ready{fd_, POLLOUT, 0};
      if (::poll(&ready, 1, 0) <= 0) return false;
      if ((ready.revents & POLLOUT) == 0) {
        error_ = EPIPE;
        return false;
      }
      // A pipe that is ready takes PIPE_BUF bytes without blocking (POSIX); more might block.
      size = std::min<std::size_t>(size, PIPE_BUF);
    }
    count = ::write(fd_, data, size);
  }
  if (count >= 0) {
    written_ += static_cast<std::size_t>(count);
    return count > 0;
  }
  if (errno == EINTR) return true;
  if (errno != EAGAIN && errno != EWOULDBLOCK) error_ = errno;
  return false;
}

void OutputQueue::flush() {
  while (!broken() && !empty() && write_some()) {
  }
  if (broken() || empty()) {
    pending_.clear();
    written_ = 0;
  } else if (written_ > high_water) {
    pending_.erase(0, written_);
    written_ = 0;
  }
}

void OutputQueue::drain(SignalSource& signals) {
  flush();
  while (!broken() && !empty()) {
    pollfd waits[2] = {{fd_, POLLOUT, 0}, {signals.fd(), POLLIN, 0}};
    if (::poll(waits, 2, -1) < 0 && errno != EINTR) return;
    if (waits[1].revents != 0 && !signals.take().ending.empty()) return;
    flush();
  }
}

}  // namespace agentrun::host
