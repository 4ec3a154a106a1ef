// Load for a forward proxy, with its own target server:
//
//   bench_proxy_load --proxy PORT|PATH --port P [--mode connect|socks5|http] [--tunnels N] [--at-once N]
//                    [--bulk MIB] [--streams N]
//
// The proxy must allow 127.0.0.1:P. Opens N tunnels (or plain HTTP exchanges), AT-ONCE at a time, each fetching 1 KiB,
// and prints the rate and the latency from connect() to the last byte; then, with --bulk, fetches that many MiB four
// times over each of N streams and prints the throughput. Exit code 1 when anything failed.

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;

enum class Mode { connect, socks5, http };

struct Options {
  std::string proxy;
  std::uint16_t port = 0;
  Mode mode = Mode::connect;
  int tunnels = 20'000;
  int at_once = 32;
  long bulk_mib = 0;
  int streams = 1;
};

/// Owns a blocking socket.
class Socket {
 public:
  explicit Socket(int descriptor) noexcept : descriptor_(descriptor) {}
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;
  ~Socket() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }

  [[nodiscard]] bool is_open() const noexcept { return descriptor_ >= 0; }
  [[nodiscard]] int descriptor() const noexcept { return descriptor_; }

  [[nodiscard]] bool send(std::string_view bytes) const {
    while (!bytes.empty()) {
      const ssize_t count = ::send(descriptor_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (count <= 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(count));
    }
    return true;
  }

  /// Reads until `text` holds `mark`; what came behind it is in `text` too.
  [[nodiscard]] bool read_until(std::string_view mark, std::string& text) const {
    char buffer[4096];
    while (text.find(mark) == std::string::npos) {
      const ssize_t count = ::recv(descriptor_, buffer, sizeof buffer, 0);
      if (count <= 0) return false;
      text.append(buffer, static_cast<std::size_t>(count));
    }
    return true;
  }

  [[nodiscard]] bool drop(std::uint64_t size, char* buffer, std::size_t capacity) const {
    while (size > 0) {
      const ssize_t count = ::recv(descriptor_, buffer, std::min<std::uint64_t>(size, capacity), 0);
      if (count <= 0) return false;
      size -= static_cast<std::uint64_t>(count);
    }
    return true;
  }

 private:
  int descriptor_;
};

sockaddr_in loopback(std::uint16_t port) {
  sockaddr_in name{};
  name.sin_family = AF_INET;
  name.sin_port = htons(port);
  name.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return name;
}

/// Answers "GET /N" with N bytes.
class Server {
 public:
  explicit Server(std::uint16_t port) : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    const sockaddr_in name = loopback(port);
    const int on = 1;
    ::setsockopt(socket_.descriptor(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (::bind(socket_.descriptor(), reinterpret_cast<const sockaddr*>(&name), sizeof name) != 0 ||
        ::listen(socket_.descriptor(), 4096) != 0) {
      std::perror("bench_proxy_load: the target's port");
      std::exit(2);
    }
  }

  /// Never returns: the threads end with the program.
  void serve(int threads) const {
    for (int i = 0; i < threads; ++i) std::thread([this] { accept_forever(); }).detach();
  }

 private:
  void accept_forever() const {
    for (;;) {
      const Socket client(::accept4(socket_.descriptor(), nullptr, nullptr, SOCK_CLOEXEC));
      if (client.is_open()) answer(client);
    }
  }

  static void answer(const Socket& client) {
    static const std::string chunk(1 << 18, 'x');
    std::string request;
    if (!client.read_until("\r\n\r\n", request)) return;
    const std::size_t at = request.find(" /");
    if (at == std::string::npos) return;
    std::uint64_t size = std::strtoull(request.c_str() + at + 2, nullptr, 10);
    if (!client.send("HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(size) + "\r\n\r\n")) return;
    while (size > 0) {
      const std::size_t part = std::min<std::uint64_t>(size, chunk.size());
      if (!client.send(std::string_view(chunk).substr(0, part))) return;
      size -= part;
    }
  }

  Socket socket_;
};

class Load {
 public:
  explicit Load(Options options) : options_(std::move(options)), target_(options_.port) {}

  /// True when it succeeded. `size` is the body's.
  [[nodiscard]] bool fetch(std::uint64_t size, char* buffer, std::size_t capacity) const {
    const Socket proxy(dial());
    if (!proxy.is_open() || !open(proxy)) return false;
    const std::string place = authority();
    const std::string start = options_.mode == Mode::http ? "GET http://" + place + '/' : "GET /";
    if (!proxy.send(start + std::to_string(size) + " HTTP/1.1\r\nHost: " + place + "\r\n\r\n")) return false;
    std::string text;
    if (!proxy.read_until("\r\n\r\n", text) || !text.starts_with("HTTP/1.1 200")) return false;
    const std::uint64_t present = text.size() - (text.find("\r\n\r\n") + 4);
    return present <= size && proxy.drop(size - present, buffer, capacity);
  }

 private:
  [[nodiscard]] std::string authority() const { return "127.0.0.1:" + std::to_string(target_); }

  [[nodiscard]] int dial() const {
    const bool is_path = options_.proxy.find('/') != std::string::npos;
    const int descriptor = ::socket(is_path ? AF_UNIX : AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    int result = -1;
    if (is_path) {
      sockaddr_un name{};
      name.sun_family = AF_UNIX;
      std::strncpy(name.sun_path, options_.proxy.c_str(), sizeof name.sun_path - 1);
      result = ::connect(descriptor, reinterpret_cast<const sockaddr*>(&name), sizeof name);
    } else {
      const sockaddr_in name = loopback(static_cast<std::uint16_t>(std::atoi(options_.proxy.c_str())));
      result = ::connect(descriptor, reinterpret_cast<const sockaddr*>(&name), sizeof name);
      const int on = 1;
      ::setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    }
    if (result == 0) return descriptor;
    ::close(descriptor);
    return -1;
  }

  [[nodiscard]] bool open(const Socket& proxy) const {
    std::string text;
    if (options_.mode == Mode::connect) {
      const std::string place = authority();
      return proxy.send("CONNECT " + place + " HTTP/1.1\r\nHost: " + place + "\r\n\r\n") &&
             proxy.read_until("\r\n\r\n", text) && text.starts_with("HTTP/1.1 200");
    }
    if (options_.mode == Mode::socks5) {
      std::string request("\x05\x01\x00\x05\x01\x00\x01\x7F\x00\x00\x01", 11);
      request += static_cast<char>(target_ >> 8);
      request += static_cast<char>(target_ & 0xFF);
      char reply[12];
      return proxy.send(request) && ::recv(proxy.descriptor(), reply, sizeof reply, MSG_WAITALL) == sizeof reply &&
             reply[3] == 0;
    }
    return true;
  }

  Options options_;
  std::uint16_t target_;
};

struct Outcome {
  std::vector<double> microseconds;
  int failures = 0;
  double seconds = 0;
};

Outcome run(const Load& load, int count, int at_once, std::uint64_t size) {
  std::atomic<int> left = count;
  std::atomic<int> failures = 0;
  std::mutex mutex;
  Outcome outcome;
  const auto work = [&] {
    std::vector<char> buffer(1 << 18);
    std::vector<double> own;
    while (left.fetch_sub(1) > 0) {
      const auto start = Clock::now();
      if (!load.fetch(size, buffer.data(), buffer.size())) ++failures;
      own.push_back(std::chrono::duration<double, std::micro>(Clock::now() - start).count());
    }
    const std::lock_guard lock(mutex);
    outcome.microseconds.insert(outcome.microseconds.end(), own.begin(), own.end());
  };
  const auto start = Clock::now();
  std::vector<std::thread> threads;
  for (int i = 0; i < at_once; ++i) threads.emplace_back(work);
  for (std::thread& thread : threads) thread.join();
  outcome.seconds = std::chrono::duration<double>(Clock::now() - start).count();
  outcome.failures = failures;
  std::ranges::sort(outcome.microseconds);
  return outcome;
}

double percentile(const std::vector<double>& sorted, double part) {
  if (sorted.empty()) return 0;
  return sorted[std::min(sorted.size() - 1, static_cast<std::size_t>(static_cast<double>(sorted.size()) * part))];
}

bool parse(int argc, char** argv, Options& options) {
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string_view name = argv[i];
    const char* const value = argv[i + 1];
    if (name == "--port") {
      options.port = static_cast<std::uint16_t>(std::atoi(value));
    } else if (name == "--proxy") {
      options.proxy = value;
    } else if (name == "--tunnels") {
      options.tunnels = std::atoi(value);
    } else if (name == "--at-once") {
      options.at_once = std::atoi(value);
    } else if (name == "--bulk") {
      options.bulk_mib = std::atol(value);
    } else if (name == "--streams") {
      options.streams = std::atoi(value);
    } else if (name == "--mode") {
      const std::string_view mode = value;
      options.mode = mode == "socks5" ? Mode::socks5 : mode == "http" ? Mode::http : Mode::connect;
    } else {
      return false;
    }
  }
  return !options.proxy.empty() && options.port != 0 && argc % 2 == 1;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  if (!parse(argc, argv, options)) {
    std::fprintf(stderr, "bench_proxy_load: see the top of bench/proxy/load.cpp for its options\n");
    return 2;
  }
  rlimit limit{};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);

  static const Server server(options.port);
  server.serve(std::max(options.at_once, options.streams));

  const Load load(options);
  int failures = 0;
  if (options.tunnels > 0) {
    const Outcome outcome = run(load, options.tunnels, options.at_once, 1024);
    failures += outcome.failures;
    std::printf("tunnels %d at_once %d rate_per_s %.0f p50_us %.0f p99_us %.0f failures %d\n", options.tunnels,
                options.at_once, options.tunnels / outcome.seconds, percentile(outcome.microseconds, 0.5),
                percentile(outcome.microseconds, 0.99), outcome.failures);
  }
  if (options.bulk_mib > 0) {
    const int count = options.streams * 4;
    const Outcome outcome = run(load, count, options.streams, static_cast<std::uint64_t>(options.bulk_mib) << 20);
    failures += outcome.failures;
    const double bytes = static_cast<double>(options.bulk_mib) * (1 << 20) * count;
    std::printf("bulk_mib %ld streams %d gb_per_s %.2f failures %d\n", options.bulk_mib, options.streams,
                bytes / outcome.seconds / 1e9, outcome.failures);
  }
  // The server's threads wait for connections for ever.
  std::fflush(stdout);
  std::_Exit(failures == 0 ? 0 : 1);
}
