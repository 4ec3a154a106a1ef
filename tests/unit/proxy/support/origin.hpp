#pragma once
// A server on loopback whose connections a test answers by hand.

#include <cstdint>
#include <string>

#include "support/peer.hpp"

namespace agentrun::proxy::test {

class Origin {
 public:
  explicit Origin(int backlog = 128);
  Origin(const Origin&) = delete;
  Origin& operator=(const Origin&) = delete;
  ~Origin();

  [[nodiscard]] std::uint16_t port() const noexcept { return port_; }
  /// "HOST:PORT" of this server.
  [[nodiscard]] std::string authority(const std::string& host = "127.0.0.1") const {
    return host + ':' + std::to_string(port_);
  }

  /// Waits for a connection.
  [[nodiscard]] Peer accept();
  /// True when nobody connects for `milliseconds`.
  [[nodiscard]] bool is_quiet(int milliseconds) const;

 private:
  int descriptor_;
  std::uint16_t port_ = 0;
};

/// A port of loopback where nobody listens.
[[nodiscard]] std::uint16_t closed_port();

}  // namespace agentrun::proxy::test
