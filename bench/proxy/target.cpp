// What the proxies are measured against: an HTTP server on a loopback port that answers "GET /N" with N bytes, on
// connections that stay open.
//
//   bench_proxy_target
//
// Prints "port N" and runs until it is killed. One thread.

#include <sys/epoll.h>

#include <algorithm>
#include <csignal>
#include <memory>
#include <string_view>
#include <vector>

#include "sockets.hpp"

namespace {

namespace bench = agentrun::bench;
using bench::Descriptor;

class Connection {
 public:
  explicit Connection(Descriptor socket) : socket_(std::move(socket)) {}

  [[nodiscard]] int socket() const noexcept { return socket_.get(); }

  /// Goes on as far as the socket lets it. False when the connection is over.
  [[nodiscard]] bool advance() {
    for (;;) {
      if (!send_answer()) return errno == EAGAIN;
      const std::size_t end = request_.find("\r\n\r\n");
      if (end != std::string::npos) {
        begin_answer();
        request_.erase(0, end + 4);
        continue;
      }
      char buffer[4096];
      const ssize_t count = ::recv(socket_.get(), buffer, sizeof buffer, 0);
      if (count == 0) return false;
      if (count < 0) return errno == EAGAIN;
      request_.append(buffer, static_cast<std::size_t>(count));
    }
  }

 private:
  static const std::string& pattern() {
    static const std::string bytes(1 << 18, 'x');
    return bytes;
  }

  void begin_answer() {
    const std::size_t at = request_.find(" /");
    body_left_ = at == std::string::npos ? 0 : std::strtoull(request_.c_str() + at + 2, nullptr, 10);
    head_ = "HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(body_left_) + "\r\n\r\n";
    // The head and a short body in one send, as servers do.
    const std::size_t part = std::min<std::uint64_t>(body_left_, 4096);
    head_.append(pattern(), 0, part);
    body_left_ -= part;
  }

  /// True when all is sent.
  bool send_answer() {
    while (!head_.empty()) {
      const ssize_t count = ::send(socket_.get(), head_.data(), head_.size(), MSG_NOSIGNAL);
      if (count < 0) return false;
      head_.erase(0, static_cast<std::size_t>(count));
    }
    while (body_left_ > 0) {
      const std::size_t part = std::min<std::uint64_t>(body_left_, pattern().size());
      const ssize_t count = ::send(socket_.get(), pattern().data(), part, MSG_NOSIGNAL);
      if (count < 0) return false;
      body_left_ -= static_cast<std::uint64_t>(count);
    }
    return true;
  }

  Descriptor socket_;
  std::string request_;
  std::string head_;
  std::uint64_t body_left_ = 0;
};

void accept_all(const Descriptor& listener, const Descriptor& poll) {
  for (;;) {
    Descriptor socket(::accept4(listener.get(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
    if (!socket.valid()) return;
    bench::send_at_once(socket.get());
    const int number = socket.get();
    auto connection = std::make_unique<Connection>(std::move(socket));
    epoll_event event{};
    event.events = EPOLLIN | EPOLLOUT | EPOLLET;
    event.data.ptr = connection.get();
    if (::epoll_ctl(poll.get(), EPOLL_CTL_ADD, number, &event) == 0) (void)connection.release();
  }
}

}  // namespace

int main() {
  std::signal(SIGPIPE, SIG_IGN);
  bench::raise_descriptor_limit();
  const Descriptor listener = bench::listen_on(bench::loopback(0));
  const Descriptor poll(::epoll_create1(EPOLL_CLOEXEC));
  epoll_event event{};
  event.events = EPOLLIN;
  if (::epoll_ctl(poll.get(), EPOLL_CTL_ADD, listener.get(), &event) != 0) bench::stop("epoll_ctl");
  std::printf("port %d\n", bench::port_of(listener));
  std::fflush(stdout);

  std::vector<epoll_event> events(256);
  for (;;) {
    const int count = ::epoll_wait(poll.get(), events.data(), static_cast<int>(events.size()), -1);
    for (int i = 0; i < count; ++i) {
      auto* const connection = static_cast<Connection*>(events[static_cast<std::size_t>(i)].data.ptr);
      if (connection == nullptr) {
        accept_all(listener, poll);
      } else if (!connection->advance()) {
        delete connection;
      }
    }
  }
}
