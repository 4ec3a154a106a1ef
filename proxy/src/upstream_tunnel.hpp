#pragma once
// Asking the upstream proxy for a tunnel.

#include <string>
#include <string_view>

#include "agentrun/proxy/upstream.hpp"
#include "loop.hpp"
#include "stream.hpp"
#include "target.hpp"
#include "task.hpp"

namespace agentrun::proxy {

/// One CONNECT over a stream that leads to the upstream proxy. Lives as long as its task. Cancelling the stream ends
/// it.
class UpstreamTunnel : private Deadlines::Entry {
 public:
  UpstreamTunnel(Loop& loop, Stream& stream) : loop_(loop), stream_(stream) {}
  UpstreamTunnel(const UpstreamTunnel&) = delete;
  UpstreamTunnel& operator=(const UpstreamTunnel&) = delete;
  ~UpstreamTunnel() { cancel_deadline(); }

  /// Empty: the tunnel stands. Else why not, as a 502 says it.
  [[nodiscard]] Task<std::string> open(const UpstreamServer& server, const Target& target);

  /// What came through the tunnel right behind the answer.
  [[nodiscard]] std::string take_early() { return std::move(early_); }

 private:
  // Empty: go on.
  [[nodiscard]] Task<std::string> send(std::string_view request);
  [[nodiscard]] Task<std::string> read_answer();
  /// False: cancelled, or too late.
  [[nodiscard]] Task<bool> ready(Readiness readiness);
  void on_deadline() override;

  Loop& loop_;
  Stream& stream_;
  std::string early_;
  bool is_late_ = false;
};

/// What asks for it: "CONNECT HOST:PORT HTTP/1.1" and its fields.
[[nodiscard]] std::string upstream_connect_request(const UpstreamServer& server, const Target& target);

}  // namespace agentrun::proxy
