#pragma once
// The world outside, on loopback: answers every request with one body and counts them.

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace agentrun::testing {

class HttpServer {
 public:
  explicit HttpServer(std::string body);
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;
  ~HttpServer();

  [[nodiscard]] std::uint16_t port() const noexcept { return port_; }
  /// "127.0.0.1:PORT"
  [[nodiscard]] std::string authority() const { return "127.0.0.1:" + std::to_string(port_); }
  [[nodiscard]] std::string url() const { return "http://" + authority() + "/"; }
  [[nodiscard]] int requests() const noexcept { return requests_; }
  /// Of each request, in order.
  [[nodiscard]] std::vector<std::string> heads() const;

 private:
  void serve();

  std::string body_;
  mutable std::mutex mutex_;
  std::vector<std::string> heads_;
  int listener_ = -1;
  std::uint16_t port_ = 0;
  std::atomic<int> requests_ = 0;
  std::atomic<bool> stopping_ = false;
  std::thread thread_;
};

}  // namespace agentrun::testing
