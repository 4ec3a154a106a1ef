// The least that a forward proxy can cost on a machine, as the bound that the filter proxy is measured against. No
// product: it judges nothing, resolves nothing, has no timeouts, believes every request, and takes heads in one piece.
//
//   bench_proxy_relay [--unix PATH]
//
// CONNECT and absolute-form GET to IPv4 addresses. Prints "port N" and runs until it is killed. One thread; splice with
// 1 MiB pipes once a direction has moved enough to be bulk.

#include <fcntl.h>
#include <sys/epoll.h>

#include <csignal>
#include <string_view>
#include <vector>

#include "sockets.hpp"

namespace {

namespace bench = agentrun::bench;
using bench::Descriptor;

constexpr std::size_t bulk_begins = 256 * 1024;
constexpr int pipe_size = 1 << 20;

struct Pair;

struct End {
  Pair* pair = nullptr;
  Descriptor socket;
  bool readable = false;
  bool writable = false;
  bool ended = false;  // nothing more comes from it
  bool shut = false;   // nothing more goes to it
};

/// One direction.
struct Flow {
  Descriptor pipe_out;
  Descriptor pipe_in;
  std::size_t in_pipe = 0;
  std::string rest;  // read, and not yet taken by the other side
  std::size_t moved = 0;
};

struct Pair {
  End client;
  End upstream;
  Flow up;
  Flow down;
  bool is_tunnel = false;
  bool is_connected = false;
  bool is_dead = false;
};

class Relay {
 public:
  explicit Relay(std::vector<Descriptor> listeners)
      : listeners_(std::move(listeners)), poll_(::epoll_create1(EPOLL_CLOEXEC)), buffer_(1 << 16) {
    for (Descriptor& listener : listeners_) {
      epoll_event event{};
      event.events = EPOLLIN;
      event.data.ptr = &listener;
      if (::epoll_ctl(poll_.get(), EPOLL_CTL_ADD, listener.get(), &event) != 0) bench::stop("epoll_ctl");
    }
  }

  [[noreturn]] void run() {
    std::vector<epoll_event> events(512);
    for (;;) {
      const int count = ::epoll_wait(poll_.get(), events.data(), static_cast<int>(events.size()), -1);
      for (int i = 0; i < count; ++i) handle(events[static_cast<std::size_t>(i)]);
      for (Pair* pair : dead_) delete pair;
      dead_.clear();
    }
  }

 private:
  void handle(const epoll_event& event) {
    for (const Descriptor& listener : listeners_) {
      if (event.data.ptr == &listener) return accept_some(listener);
    }
    auto* const end = static_cast<End*>(event.data.ptr);
    if (end->pair->is_dead) return;
    constexpr std::uint32_t in = EPOLLIN | EPOLLRDHUP | EPOLLHUP | EPOLLERR;
    constexpr std::uint32_t out = EPOLLOUT | EPOLLHUP | EPOLLERR;
    if ((event.events & in) != 0) end->readable = true;
    if ((event.events & out) != 0) end->writable = true;
    if (!drive(*end->pair)) kill(*end->pair);
  }

  void accept_some(const Descriptor& listener) {
    for (int i = 0; i < 64; ++i) {
      Descriptor socket(::accept4(listener.get(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
      if (!socket.valid()) return;
      bench::send_at_once(socket.get());
      auto* const pair = new Pair;
      pair->client.pair = pair->upstream.pair = pair;
      pair->client.socket = std::move(socket);
      watch(pair->client);
    }
  }

  void watch(End& end) const {
    epoll_event event{};
    event.events = EPOLLIN | EPOLLOUT | EPOLLET | EPOLLRDHUP;
    event.data.ptr = &end;
    if (::epoll_ctl(poll_.get(), EPOLL_CTL_ADD, end.socket.get(), &event) != 0) bench::stop("epoll_ctl");
  }

  void kill(Pair& pair) {
    pair.is_dead = true;
    pair.client.socket.reset();
    pair.upstream.socket.reset();
    dead_.push_back(&pair);
  }

  [[nodiscard]] bool drive(Pair& pair) {
    if (!pair.upstream.socket.valid()) {
      if (!pair.client.readable) return true;
      if (!read_head(pair)) return errno == EAGAIN;
    }
    if (!pair.upstream.writable) return true;
    if (!pair.is_connected) {
      int error = 0;
      socklen_t size = sizeof error;
      ::getsockopt(pair.upstream.socket.get(), SOL_SOCKET, SO_ERROR, &error, &size);
      if (error != 0) return false;
      pair.is_connected = true;
      if (pair.is_tunnel) pair.down.rest = "HTTP/1.1 200 Connection established\r\n\r\n";
    }
    if (!move(pair.client, pair.upstream, pair.up) || !move(pair.upstream, pair.client, pair.down)) return false;
    return !(pair.client.shut && (pair.upstream.shut || !pair.is_tunnel));
  }

  /// False with errno EAGAIN when it has not come yet.
  [[nodiscard]] bool read_head(Pair& pair) {
    const ssize_t count = ::recv(pair.client.socket.get(), buffer_.data(), buffer_.size(), 0);
    if (count <= 0) {
      if (count == 0) errno = 0;
      return false;
    }
    const std::string_view head(buffer_.data(), static_cast<std::size_t>(count));
    errno = 0;
    const std::size_t space = head.find(' ');
    const std::size_t end = head.find("\r\n\r\n");
    if (space == std::string_view::npos || end == std::string_view::npos) return false;
    pair.is_tunnel = head.starts_with("CONNECT ");
    const std::size_t host = pair.is_tunnel ? space + 1 : head.find("//", space) + 2;
    const std::size_t host_end = head.find_first_of("/ ", host);
    const std::size_t colon = head.find(':', host);
    if (host_end == std::string_view::npos || colon > host_end) return false;
    bench::Address address = bench::loopback(0);
    auto& name = reinterpret_cast<sockaddr_in&>(address.storage);
    name.sin_port = htons(static_cast<std::uint16_t>(std::atoi(std::string(head.substr(colon + 1, 5)).c_str())));
    const std::string literal(head.substr(host, colon - host));
    if (::inet_pton(AF_INET, literal.c_str(), &name.sin_addr) != 1) return false;
    if (pair.is_tunnel) {
      pair.up.rest = head.substr(end + 4);
    } else {
      pair.up.rest.append(head.substr(0, space + 1)).append(head.substr(host_end));
    }
    pair.upstream.socket = bench::dial(address);
    if (!pair.upstream.socket.valid()) return false;
    watch(pair.upstream);
    return true;
  }

  [[nodiscard]] bool move(End& from, End& to, Flow& flow) {
    for (;;) {
      if (!send_rest(to, flow)) return false;
      if (!flow.rest.empty()) return true;
      const bool is_bulk = flow.moved > bulk_begins;
      if (is_bulk && !flow.pipe_in.valid()) open_pipe(flow);
      const ssize_t moved = is_bulk ? splice_some(from, to, flow) : copy_some(from, to, flow);
      if (moved < 0) return false;
      if (from.ended && flow.in_pipe == 0 && flow.rest.empty() && !to.shut) {
        to.shut = true;
        ::shutdown(to.socket.get(), SHUT_WR);
      }
      if (moved == 0) return true;
    }
  }

  [[nodiscard]] static bool send_rest(End& to, Flow& flow) {
    while (!flow.rest.empty() && to.writable) {
      const ssize_t count = ::send(to.socket.get(), flow.rest.data(), flow.rest.size(), MSG_NOSIGNAL);
      if (count < 0 && errno != EAGAIN) return false;
      if (count < 0) to.writable = false;
      if (count > 0) flow.rest.erase(0, static_cast<std::size_t>(count));
    }
    return true;
  }

  /// Of these two: how much was read or written, 0 when neither side can go on, -1 when one failed.
  ssize_t copy_some(End& from, End& to, Flow& flow) {
    if (!from.readable || from.ended) return 0;
    const ssize_t count = ::recv(from.socket.get(), buffer_.data(), buffer_.size(), 0);
    if (count < 0 && errno == EAGAIN) {
      from.readable = false;
      return 0;
    }
    if (count == 0) from.ended = true;
    if (count <= 0) return count;
    flow.moved += static_cast<std::size_t>(count);
    const ssize_t sent =
        to.writable ? ::send(to.socket.get(), buffer_.data(), static_cast<std::size_t>(count), MSG_NOSIGNAL) : 0;
    if (sent < 0 && errno != EAGAIN) return -1;
    const std::size_t done = sent < 0 ? 0 : static_cast<std::size_t>(sent);
    if (done < static_cast<std::size_t>(count))
      flow.rest.assign(buffer_.data() + done, static_cast<std::size_t>(count) - done);
    return count;
  }

  static ssize_t splice_some(End& from, End& to, Flow& flow) {
    constexpr unsigned flags = SPLICE_F_MOVE | SPLICE_F_NONBLOCK;
    ssize_t progress = 0;
    if (flow.in_pipe == 0 && from.readable && !from.ended) {
      const ssize_t count = ::splice(from.socket.get(), nullptr, flow.pipe_in.get(), nullptr, pipe_size, flags);
      if (count < 0 && errno != EAGAIN) return -1;
      if (count < 0) from.readable = false;
      if (count == 0) from.ended = true;
      if (count > 0) progress += count, flow.in_pipe += static_cast<std::size_t>(count);
    }
    if (flow.in_pipe > 0 && to.writable) {
      const ssize_t count = ::splice(flow.pipe_out.get(), nullptr, to.socket.get(), nullptr, flow.in_pipe, flags);
      if (count < 0 && errno != EAGAIN) return -1;
      if (count < 0) to.writable = false;
      if (count > 0) progress += count, flow.in_pipe -= static_cast<std::size_t>(count);
    }
    return progress;
  }

  static void open_pipe(Flow& flow) {
    int ends[2];
    if (::pipe2(ends, O_NONBLOCK | O_CLOEXEC) != 0) bench::stop("pipe2");
    flow.pipe_out = Descriptor(ends[0]);
    flow.pipe_in = Descriptor(ends[1]);
    ::fcntl(ends[1], F_SETPIPE_SZ, pipe_size);
  }

  std::vector<Descriptor> listeners_;
  Descriptor poll_;
  std::vector<char> buffer_;
  std::vector<Pair*> dead_;
};

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);
  bench::raise_descriptor_limit();
  std::vector<Descriptor> listeners;
  listeners.push_back(bench::listen_on(bench::loopback(0)));
  if (argc == 3 && std::string_view(argv[1]) == "--unix") {
    listeners.push_back(bench::listen_on(bench::unix_path(argv[2])));
  } else if (argc != 1) {
    std::fprintf(stderr, "usage: bench_proxy_relay [--unix PATH]\n");
    return 2;
  }
  std::printf("port %d\n", bench::port_of(listeners.front()));
  std::fflush(stdout);
  Relay(std::move(listeners)).run();
}
