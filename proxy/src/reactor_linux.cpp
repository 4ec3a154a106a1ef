#include <sys/epoll.h>

#include <boost/system/system_error.hpp>
#include <cerrno>

#include "reactor.hpp"

namespace agentrun::proxy {

int Reactor::make_queue() {
  const int queue = ::epoll_create1(EPOLL_CLOEXEC);
  if (queue < 0) throw boost::system::system_error(errno, boost::system::system_category(), "epoll");
  return queue;
}

int Reactor::enroll(int queue, int descriptor, Name name) noexcept {
  epoll_event event{};
  event.events = EPOLLIN | EPOLLOUT | EPOLLPRI | EPOLLRDHUP | EPOLLET;
  event.data.u64 = name;
  return ::epoll_ctl(queue, EPOLL_CTL_ADD, descriptor, &event) == 0 ? 0 : errno;
}

void Reactor::dispatch() {
  std::array<epoll_event, 128> events;
  const int count = ::epoll_wait(queue_.native_handle(), events.data(), static_cast<int>(events.size()), 0);
  for (int i = 0; i < count; ++i) {
    const epoll_event& event = events[static_cast<std::size_t>(i)];
    Report seen;
    seen.readable = (event.events & (EPOLLIN | EPOLLPRI | EPOLLRDHUP)) != 0;
    seen.writable = (event.events & EPOLLOUT) != 0;
    seen.ended = (event.events & (EPOLLRDHUP | EPOLLPRI)) != 0;
    seen.broken = (event.events & (EPOLLERR | EPOLLHUP)) != 0;
    report(event.data.u64, seen);
  }
  wait();
}

}  // namespace agentrun::proxy
