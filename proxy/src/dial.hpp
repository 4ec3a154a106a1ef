#pragma once
// Connecting to a target: each of its addresses in turn, each with its own time limit.

#include <optional>

#include "agentrun/proxy/resolver.hpp"
#include "loop.hpp"
#include "stream.hpp"
#include "task.hpp"

namespace agentrun::proxy {

/// One attempt to reach a target. Lives as long as its task.
class Dialer : private Deadlines::Entry {
 public:
  explicit Dialer(Loop& loop) : loop_(loop), stream_(loop.reactor()) {}
  Dialer(const Dialer&) = delete;
  Dialer& operator=(const Dialer&) = delete;
  ~Dialer() { cancel_deadline(); }

  /// 0, or the error of the last address; ECANCELED after cancel(). `addresses` must hold at least one.
  [[nodiscard]] Task<int> dial(const Addresses& addresses, std::uint16_t port);

  // The connected stream. While it is here, cancel() cancels its waits too.
  [[nodiscard]] Stream& stream() noexcept { return stream_; }
  [[nodiscard]] Stream take() { return std::move(stream_); }

  void cancel() noexcept;

 private:
  [[nodiscard]] Task<int> dial_one(std::uint32_t address, std::uint16_t port);
  void on_deadline() override;

  Loop& loop_;
  Stream stream_;
  bool cancelled_ = false;
  bool timed_out_ = false;
};

}  // namespace agentrun::proxy
