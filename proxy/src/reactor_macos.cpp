#include <fcntl.h>
#include <sys/event.h>
#include <sys/time.h>
#include <unistd.h>

#include <boost/system/system_error.hpp>
#include <cerrno>

#include "reactor.hpp"

namespace agentrun::proxy {

int Reactor::make_queue() {
  const int queue = ::kqueue();
  if (queue < 0) throw boost::system::system_error(errno, boost::system::system_category(), "kqueue");
  ::fcntl(queue, F_SETFD, FD_CLOEXEC);
  return queue;
}

// EV_CLEAR is what Linux calls edge-triggered.
int Reactor::enroll(int queue, int descriptor, Name name) noexcept {
  std::array<struct kevent, 2> changes;
  const auto ident = static_cast<std::uintptr_t>(descriptor);
  // NOLINTNEXTLINE(performance-no-int-to-ptr): the system only keeps it
  auto* const data = reinterpret_cast<void*>(static_cast<std::uintptr_t>(name));
  EV_SET(&changes[0], ident, EVFILT_READ, EV_ADD | EV_CLEAR, 0, 0, data);
  EV_SET(&changes[1], ident, EVFILT_WRITE, EV_ADD | EV_CLEAR, 0, 0, data);
  const auto apply = [queue](const struct kevent& change) {
    return ::kevent(queue, &change, 1, nullptr, 0, nullptr) == 0 ? 0 : errno;
  };
  if (const int error = apply(changes[0]); error != 0) return error;
  // A listening socket has no writing side.
  const int error = apply(changes[1]);
  return error == EINVAL ? 0 : error;
}

void Reactor::dispatch() {
  std::array<struct kevent, 128> events;
  const timespec at_once{};
  const int count =
      ::kevent(queue_.native_handle(), nullptr, 0, events.data(), static_cast<int>(events.size()), &at_once);
  for (int i = 0; i < count; ++i) {
    const struct kevent& event = events[static_cast<std::size_t>(i)];
    const bool has_ended = (event.flags & EV_EOF) != 0;
    Report seen;
    seen.readable = event.filter == EVFILT_READ;
    seen.writable = event.filter == EVFILT_WRITE;
    seen.ended = has_ended && event.filter == EVFILT_READ;
    // fflags has the socket's error; a writing side that has ended is a hang-up.
    seen.broken = has_ended && (event.fflags != 0 || event.filter == EVFILT_WRITE);
    report(static_cast<Name>(reinterpret_cast<std::uintptr_t>(event.udata)), seen);
  }
  wait();
}

}  // namespace agentrun::proxy
