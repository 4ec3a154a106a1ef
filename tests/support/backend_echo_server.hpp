#pragma once
// Stands for the proxy: a socket that says back what it hears.

#include <cstdint>
#include <filesystem>
#include <thread>

namespace agentrun::testing {

class BackendEchoServer {
 public:
  /// Everybody may connect.
  explicit BackendEchoServer(const std::filesystem::path& socket);
  /// On 127.0.0.1, at a free port.
  BackendEchoServer();
  BackendEchoServer(const BackendEchoServer&) = delete;
  BackendEchoServer& operator=(const BackendEchoServer&) = delete;
  ~BackendEchoServer();

  [[nodiscard]] std::uint16_t port() const;

 private:
  void serve();

  int listener_ = -1;
  int stop_ = -1;
  std::thread thread_;
};

}  // namespace agentrun::testing
