// Load for a forward proxy, from one thread:
//
//   bench_proxy_load --target PORT [--proxy PORT|PATH] [--mode direct|connect|socks5|http] [--requests N] [--at-once N]
//                    [--bytes N]
//   bench_proxy_load --target PORT --proxy PORT|PATH --hold N [--at-once N]
//
// Without --proxy, http_proxy's port is taken, as a program inside a sandbox would. Each request opens a connection,
// fetches BYTES from bench_proxy_target on 127.0.0.1:PORT, which the proxy must allow, and closes it; AT-ONCE of them
// run at a time. Prints one line of JSON; latency is from connect() to the last byte. With --hold, opens N tunnels,
// prints "held N", and closes them when its standard input ends. Exit code 1 when anything failed.

#include <fcntl.h>
#include <sys/epoll.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <memory>
#include <string_view>
#include <vector>

#include "sockets.hpp"

namespace {

namespace bench = agentrun::bench;
using bench::Descriptor;
using Clock = std::chrono::steady_clock;

enum class Mode { direct, connect, socks5, http };

struct Options {
  std::string proxy;
  std::string target;
  Mode mode = Mode::connect;
  int requests = 20'000;
  int at_once = 32;
  int hold = 0;
  std::uint64_t bytes = 1024;
};

/// What is sent, the same for every connection.
struct Script {
  bench::Address peer;
  std::string opening;          // of the tunnel, empty without one
  std::size_t opened_size = 0;  // of the answer to it, 0: a head
  std::string request;
  std::uint64_t bytes = 0;
};

Script write_script(const Options& options) {
  Script script;
  const std::string authority = "127.0.0.1:" + options.target;
  const auto port = static_cast<std::uint16_t>(std::atoi(options.target.c_str()));
  script.peer = options.mode == Mode::direct ? bench::loopback(port) : bench::place(options.proxy);
  script.bytes = options.bytes;
  if (options.mode == Mode::connect) {
    script.opening = "CONNECT " + authority + " HTTP/1.1\r\nHost: " + authority + "\r\n\r\n";
  } else if (options.mode == Mode::socks5) {
    script.opening.assign("\x05\x01\x00\x05\x01\x00\x01\x7F\x00\x00\x01", 11);
    script.opening += static_cast<char>(port >> 8);
    script.opening += static_cast<char>(port & 0xFF);
    script.opened_size = 12;
  }
  script.request = (options.mode == Mode::http ? "GET http://" + authority : std::string("GET ")) + '/' +
                   std::to_string(options.bytes) + " HTTP/1.1\r\nHost: " + authority + "\r\n\r\n";
  return script;
}

enum class Step { going, opened, done, failed };

class Exchange {
 public:
  Exchange(const Script& script, bool stays_open) : script_(&script), stays_open_(stays_open) {
    socket_ = bench::dial(script.peer);
    if (socket_.valid()) ::fcntl(socket_.get(), F_SETFL, ::fcntl(socket_.get(), F_GETFL) | O_NONBLOCK);
  }

  [[nodiscard]] const Descriptor& socket() const noexcept { return socket_; }
  [[nodiscard]] double microseconds() const {
    return std::chrono::duration<double, std::micro>(Clock::now() - began_).count();
  }

  [[nodiscard]] Step advance(std::vector<char>& buffer) {
    if (!greeted_) {
      const std::string& first = script_->opening.empty() ? script_->request : script_->opening;
      if (!send(first)) return errno == EAGAIN ? Step::going : Step::failed;
      greeted_ = true;
      in_tunnel_ = script_->opening.empty();
    }
    for (;;) {
      const ssize_t count = ::recv(socket_.get(), buffer.data(), buffer.size(), 0);
      if (count < 0 && errno == EAGAIN) return Step::going;
      if (count <= 0) return Step::failed;
      const Step step = take({buffer.data(), static_cast<std::size_t>(count)});
      if (step != Step::going) return step;
    }
  }

 private:
  [[nodiscard]] bool send(std::string_view bytes) const {
    return ::send(socket_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(bytes.size());
  }

  /// tinyproxy answers as HTTP/1.0.
  static bool is_success(std::string_view head) { return head.starts_with("HTTP/1.") && head.substr(8, 4) == " 200"; }

  Step take(std::string_view bytes) {
    if (has_head_) return count_body(bytes.size());
    text_.append(bytes);
    if (!in_tunnel_) {
      const bool is_head = script_->opened_size == 0;
      if (is_head ? !text_.ends_with("\r\n\r\n") : text_.size() < script_->opened_size) return Step::going;
      if (is_head ? !is_success(text_) : text_[3] != 0) return Step::failed;
      text_.clear();
      in_tunnel_ = true;
      if (stays_open_) return Step::opened;
      return send(script_->request) ? Step::going : Step::failed;
    }
    const std::size_t end = text_.find("\r\n\r\n");
    if (end == std::string::npos) return Step::going;
    if (!is_success(text_)) return Step::failed;
    has_head_ = true;
    return count_body(text_.size() - end - 4);
  }

  Step count_body(std::size_t size) {
    received_ += size;
    return received_ < script_->bytes ? Step::going : received_ == script_->bytes ? Step::done : Step::failed;
  }

  const Script* script_;
  bool stays_open_;
  Clock::time_point began_ = Clock::now();
  Descriptor socket_;
  std::string text_;
  std::uint64_t received_ = 0;
  bool greeted_ = false;
  bool in_tunnel_ = false;
  bool has_head_ = false;
};

struct Outcome {
  std::vector<double> microseconds;
  std::vector<std::unique_ptr<Exchange>> held;
  int failures = 0;
  double seconds = 0;
};

class Load {
 public:
  Load(const Options& options, const Script& script)
      : options_(options), script_(script), poll_(::epoll_create1(EPOLL_CLOEXEC)), buffer_(1 << 18) {
    left_ = options.hold > 0 ? options.hold : options.requests;
  }

  Outcome run() {
    const auto began = Clock::now();
    while (running_ < options_.at_once && left_ > 0) begin();
    std::vector<epoll_event> events(256);
    while (running_ > 0) {
      const int count = ::epoll_wait(poll_.get(), events.data(), static_cast<int>(events.size()), -1);
      for (int i = 0; i < count; ++i) {
        auto* const exchange = static_cast<Exchange*>(events[static_cast<std::size_t>(i)].data.ptr);
        const Step step = exchange->advance(buffer_);
        if (step != Step::going) end(std::unique_ptr<Exchange>(exchange), step);
      }
    }
    outcome_.seconds = std::chrono::duration<double>(Clock::now() - began).count();
    std::ranges::sort(outcome_.microseconds);
    return std::move(outcome_);
  }

 private:
  void begin() {
    --left_;
    auto exchange = std::make_unique<Exchange>(script_, options_.hold > 0);
    epoll_event event{};
    event.events = EPOLLIN | EPOLLOUT | EPOLLET;
    event.data.ptr = exchange.get();
    if (!exchange->socket().valid() || ::epoll_ctl(poll_.get(), EPOLL_CTL_ADD, exchange->socket().get(), &event) != 0) {
      ++outcome_.failures;
      return;
    }
    ++running_;
    (void)exchange.release();
  }

  void end(std::unique_ptr<Exchange> exchange, Step step) {
    --running_;
    outcome_.microseconds.push_back(exchange->microseconds());
    if (step == Step::failed) ++outcome_.failures;
    if (step == Step::opened) {
      ::epoll_ctl(poll_.get(), EPOLL_CTL_DEL, exchange->socket().get(), nullptr);
      outcome_.held.push_back(std::move(exchange));
    }
    exchange.reset();
    while (running_ < options_.at_once && left_ > 0) begin();
  }

  const Options& options_;
  const Script& script_;
  Descriptor poll_;
  std::vector<char> buffer_;
  int left_ = 0;
  int running_ = 0;
  Outcome outcome_;
};

std::string proxy_of_environment() {
  const char* const value = std::getenv("http_proxy");
  const std::string url = value == nullptr ? "" : value;
  const std::size_t colon = url.rfind(':');
  return colon == std::string::npos ? "" : url.substr(colon + 1);
}

bool parse(int argc, char** argv, Options& options) {
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string_view name = argv[i];
    const char* const value = argv[i + 1];
    if (name == "--target") {
      options.target = value;
    } else if (name == "--proxy") {
      options.proxy = value;
    } else if (name == "--requests") {
      options.requests = std::atoi(value);
    } else if (name == "--at-once") {
      options.at_once = std::atoi(value);
    } else if (name == "--hold") {
      options.hold = std::atoi(value);
    } else if (name == "--bytes") {
      options.bytes = std::strtoull(value, nullptr, 10);
    } else if (name == "--mode") {
      const std::string_view mode = value;
      options.mode = mode == "direct"   ? Mode::direct
                     : mode == "socks5" ? Mode::socks5
                     : mode == "http"   ? Mode::http
                                        : Mode::connect;
    } else {
      return false;
    }
  }
  if (options.proxy.empty()) options.proxy = proxy_of_environment();
  return !options.target.empty() && (options.mode == Mode::direct || !options.proxy.empty()) && argc % 2 == 1;
}

double percentile(const std::vector<double>& sorted, double part) {
  if (sorted.empty()) return 0;
  return sorted[std::min(sorted.size() - 1, static_cast<std::size_t>(static_cast<double>(sorted.size()) * part))];
}

void wait_for_end_of_input() {
  char byte = 0;
  while (::read(STDIN_FILENO, &byte, 1) > 0) continue;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  if (!parse(argc, argv, options)) {
    std::fprintf(stderr, "bench_proxy_load: see the top of bench/proxy/load.cpp for its options\n");
    return 2;
  }
  std::signal(SIGPIPE, SIG_IGN);
  bench::raise_descriptor_limit();
  const Script script = write_script(options);
  const Outcome outcome = Load(options, script).run();
  if (options.hold > 0) {
    std::printf("held %zu\n", outcome.held.size());
    std::fflush(stdout);
    wait_for_end_of_input();
    return outcome.failures == 0 ? 0 : 1;
  }
  const double count = options.requests;
  std::printf(
      "{\"requests\": %d, \"failures\": %d, \"seconds\": %.6f, \"rate\": %.1f, \"p50_us\": %.1f, \"p99_us\": "
      "%.1f, \"max_us\": %.1f, \"gb_per_s\": %.4f}\n",
      options.requests, outcome.failures, outcome.seconds, count / outcome.seconds,
      percentile(outcome.microseconds, 0.5), percentile(outcome.microseconds, 0.99),
      percentile(outcome.microseconds, 1), static_cast<double>(options.bytes) * count / outcome.seconds / 1e9);
  return outcome.failures == 0 ? 0 : 1;
}
