#pragma once
// The io threads. One loop that takes many small events at a time needs less work for each than two that wake each
// other, so everything stays on the first, home, until bulk data keeps it busy: then new connections go elsewhere, and
// no small request waits behind a big one.

#include <memory>
#include <vector>

#include "loop.hpp"

namespace agentrun::proxy {

class Loops {
 public:
  /// `count` at most; all but home are made when they are needed. Throws std::system_error.
  Loops(const Timeouts& timeouts, unsigned count);

  [[nodiscard]] Loop& home() noexcept { return *loops_.front(); }

  /// The loop with the fewest bulk flows, the earlier one of equals. On home's thread.
  [[nodiscard]] Loop& for_new_connection() noexcept;

  void stop() noexcept;

 private:
  const Timeouts timeouts_;
  const std::size_t count_;
  std::vector<std::unique_ptr<Loop>> loops_;  ///< changed by home's thread alone while that runs
};

}  // namespace agentrun::proxy
