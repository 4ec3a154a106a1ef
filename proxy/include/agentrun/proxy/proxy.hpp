#pragma once
// The filter proxy: HTTP CONNECT, plain HTTP forwarding and SOCKS5 CONNECT, judged by a NetworkPolicy. It knows no
// plugin and no runtime. TLS is never opened.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "agentrun/event.hpp"
#include "agentrun/network_policy.hpp"
#include "agentrun/proxy/resolver.hpp"
#include "agentrun/proxy/upstream.hpp"
#include "agentrun/result.hpp"

namespace agentrun::proxy {

/// All measured on the steady clock.
struct Timeouts {
  std::chrono::milliseconds head = std::chrono::seconds(30);     ///< the request head, or a SOCKS greeting and request
  std::chrono::milliseconds connect = std::chrono::seconds(10);  ///< each resolved address
  std::chrono::milliseconds half_close = std::chrono::seconds(30);  ///< upstream silent after the client has closed
  std::chrono::milliseconds upstream_answer = std::chrono::seconds(30);  ///< the upstream proxy's to CONNECT
};

/// So many (host, port, allowed) triples are told of each kind, allowed and refused: what reaches more must not make
/// the proxy grow, and a flood of refused hosts must not hide an allowed one.
inline constexpr std::size_t max_told_triples = 4096;

/// Takes a sentence for the user, from a proxy thread. Must not block and must not throw.
using NoteObserver = std::function<void(std::string)>;

struct Options {
  std::filesystem::path unix_socket;  ///< created 0600; its directory must exist. Empty: TCP only
  unsigned threads = 2;
  Timeouts timeouts;
  Upstream upstream;  ///< the caller's own proxy; default: none
  SniCheck check_sni = SniCheck::off;
  NoteObserver on_note;  ///< called once for each kind of which more come than are told; null: nobody wants it
  std::shared_ptr<Resolver> resolver;  ///< null: the system's, on threads of its own
};

/// Called once for each (host, port, allowed) triple up to max_told_triples, from a proxy thread. Must not block and
/// must not throw.
using NetworkObserver = std::function<void(const NetworkEvent&)>;

class Proxy {
 public:
  /// Listens when it returns. Refused with ErrorCode::unavailable when a socket cannot be made.
  [[nodiscard]] static Result<std::unique_ptr<Proxy>> start(NetworkPolicy policy, Options options,
                                                            NetworkObserver observer);

  Proxy(const Proxy&) = delete;
  Proxy& operator=(const Proxy&) = delete;
  /// As stop().
  ~Proxy();

  /// On 127.0.0.1.
  [[nodiscard]] std::uint16_t port() const noexcept;

  /// Accepts clients from one more listening stream socket as well, and owns it from now on. Whoever can reach it may
  /// use the proxy: it lies in a network namespace of the run's own.
  void serve(int listener) noexcept;

  /// Closes every connection, ends the threads and removes the unix socket. No observer call comes after it.
  void stop() noexcept;

 private:
  class Impl;
  explicit Proxy(std::unique_ptr<Impl> impl) noexcept;
  std::unique_ptr<Impl> impl_;
};

}  // namespace agentrun::proxy
