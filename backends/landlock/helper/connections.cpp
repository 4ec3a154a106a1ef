#include "connections.hpp"

#include <fcntl.h>
#include <netinet/tcp.h>
#include <sys/syscall.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace agentrun::landlock {
namespace {

int option(int socket, int name) {
  int value = -1;
  socklen_t size = sizeof value;
  return ::getsockopt(socket, SOL_SOCKET, name, &value, &size) == 0 ? value : -1;
}

/// The filter lets no other one be made; this one may have come in as a standard stream.
bool fits(int socket, int family) {
  if (option(socket, SO_DOMAIN) != family) return false;
  return family == AF_UNIX || (option(socket, SO_TYPE) == SOCK_STREAM && option(socket, SO_PROTOCOL) == IPPROTO_TCP);
}

int connect_error(int socket, const Destination& to) {
  return ::connect(socket, &to.address.any, to.size) == 0 ? 0 : errno;
}

void set_blocking(int socket) { ::fcntl(socket, F_SETFL, ::fcntl(socket, F_GETFL) & ~O_NONBLOCK); }

/// The kinds that a unix socket can have; which one the caller's is cannot be seen.
constexpr int local_types[] = {SOCK_STREAM, SOCK_SEQPACKET};

}  // namespace

void Connections::add_waits(std::vector<pollfd>& waits) const {
  for (const Open& open : open_) {
    if (!open.retry) waits.push_back({open.socket.get(), POLLOUT, 0});
  }
}

void Connections::go_on() {
  std::erase_if(open_, [&](Open& open) { return finish(open); });
}

void Connections::make_socket(const seccomp_notif& call) {
  const int flags = static_cast<int>(call.data.args[1]) & (SOCK_NONBLOCK | SOCK_CLOEXEC);
  const Descriptor made = loopback_.make((flags & SOCK_NONBLOCK) | SOCK_CLOEXEC);
  if (!made.valid()) return notifications_.fail(call.id, errno);
  notifications_.return_file(call.id, made.get(), (flags & SOCK_CLOEXEC) != 0);
}

void Connections::connect(const seccomp_notif& call) {
  const int number = static_cast<int>(call.data.args[0]);
  const auto size = static_cast<std::uint32_t>(call.data.args[2]);
  union {
    sockaddr_storage storage;  // first: {} clears no more than the first one
    sockaddr any;
    sockaddr_in internet;
    sockaddr_un local;
  } wanted{};
  if (size < sizeof wanted.any.sa_family || size > sizeof wanted.storage) return notifications_.fail(call.id, EINVAL);
  const Caller caller(static_cast<pid_t>(call.pid));
  if (!caller.read(call.data.args[1], &wanted, size)) return notifications_.fail(call.id, EFAULT);

  Destination to;
  if (wanted.any.sa_family == AF_INET && size >= sizeof wanted.internet) {
    to = judge_internet(wanted.internet, options_);
  } else if (wanted.any.sa_family == AF_UNIX && size <= sizeof wanted.local) {
    to = judge_local(wanted.local, size, caller, options_);
  } else {
    // AF_UNSPEC too: nobody needs to disconnect a stream.
    to.error = wanted.any.sa_family == AF_INET || wanted.any.sa_family == AF_UNIX ? EINVAL : EAFNOSUPPORT;
  }
  Descriptor borrowed;
  if (to.error == 0 && borrows_) {
    borrowed = caller.borrow(number);
    if (!borrowed.valid() && (errno == EPERM || errno == ENOSYS)) borrows_ = false;
  }
  // Only now is it sure that all of this was the caller's.
  if (!notifications_.waits(call.id)) return;
  if (to.error != 0) return notifications_.fail(call.id, to.error);
  if (borrowed.valid()) return connect_borrowed(call.id, std::move(borrowed), std::move(to));
  connect_in_place(call.id, caller, number, std::move(to));
}

void Connections::connect_borrowed(std::uint64_t id, Descriptor socket, Destination to) {
  if (option(socket.get(), SO_TYPE) < 0) return notifications_.fail(id, ENOTSOCK);
  if (!fits(socket.get(), to.family)) return notifications_.fail(id, EINVAL);
  const int flags = ::fcntl(socket.get(), F_GETFL);
  const bool blocking = (flags & O_NONBLOCK) == 0;
  if (blocking) ::fcntl(socket.get(), F_SETFL, flags | O_NONBLOCK);
  const int error = connect_error(socket.get(), to);
  if (blocking) ::fcntl(socket.get(), F_SETFL, flags);
  if (error == 0) return notifications_.succeed(id);
  const bool under_way = error == EINPROGRESS || error == EALREADY;
  if (!blocking || (!under_way && error != EAGAIN)) return notifications_.fail(id, error);
  Open open{id, std::move(socket), false, -1, false, error == EAGAIN, std::move(to)};
  if (!finish(open)) open_.push_back(std::move(open));
}

void Connections::connect_in_place(std::uint64_t id, const Caller& caller, int number, Destination to) {
  const auto flags = caller.socket_flags(number);
  if (!flags) return notifications_.fail(id, errno);
  Descriptor made;
  int error = EPROTOTYPE;
  if (to.family == AF_INET) {
    made = loopback_.make(SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (!made.valid()) return notifications_.fail(id, errno);
    // What clients set before they connect is lost with their own socket; this one matters on the way to a proxy.
    const int on = 1;
    ::setsockopt(made.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    error = connect_error(made.get(), to);
  } else {
    for (const int type : local_types) {
      if (error != EPROTOTYPE) break;
      made.reset(::socket(AF_UNIX, type | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
      error = made.valid() ? connect_error(made.get(), to) : errno;
    }
  }
  Open open{id, std::move(made), true, number, flags->close_on_exec, error == EAGAIN, std::move(to)};
  if (flags->nonblocking) {
    if (error != 0 && error != EINPROGRESS) return notifications_.fail(id, error);
    if (!notifications_.replace_file(id, open.socket.get(), number, open.close_on_exec)) {
      return notifications_.fail(id, errno);
    }
    return error == 0 ? notifications_.succeed(id) : notifications_.fail(id, error);
  }
  if (error == 0) return deliver(open);
  if (error != EINPROGRESS && error != EAGAIN) return notifications_.fail(id, error);
  if (!finish(open)) open_.push_back(std::move(open));
}

bool Connections::finish(Open& open) {
  if (open.retry) {
    const int flags = ::fcntl(open.socket.get(), F_GETFL);
    ::fcntl(open.socket.get(), F_SETFL, flags | O_NONBLOCK);
    const int error = connect_error(open.socket.get(), open.to);
    ::fcntl(open.socket.get(), F_SETFL, flags);
    if (error == EAGAIN) return !notifications_.waits(open.id);
    if (error == 0) {
      deliver(open);
    } else {
      notifications_.fail(open.id, error);
    }
    return true;
  }
  pollfd ready{open.socket.get(), POLLOUT, 0};
  if (::poll(&ready, 1, 0) != 1) return !notifications_.waits(open.id);
  const int error = option(open.socket.get(), SO_ERROR);
  if (error == 0) {
    deliver(open);
  } else {
    notifications_.fail(open.id, error);
  }
  return true;
}

void Connections::deliver(Open& open) {
  if (open.own) {
    set_blocking(open.socket.get());
    if (!notifications_.replace_file(open.id, open.socket.get(), open.number, open.close_on_exec)) {
      return notifications_.fail(open.id, errno);
    }
  }
  notifications_.succeed(open.id);
}

}  // namespace agentrun::landlock
