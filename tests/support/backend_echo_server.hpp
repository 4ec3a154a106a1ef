#pragma once
// Stands for the proxy: a unix socket that says back what it hears.

#include <filesystem>
#include <thread>

namespace agentrun::testing {

class BackendEchoServer {
 public:
  /// Everybody may connect.
  explicit BackendEchoServer(const std::filesystem::path& socket);
  BackendEchoServer(const BackendEchoServer&) = delete;
  BackendEchoServer& operator=(const BackendEchoServer&) = delete;
  ~BackendEchoServer();

 private:
  void serve();

  int listener_ = -1;
  int stop_ = -1;
  std::thread thread_;
};

}  // namespace agentrun::testing
