#pragma once
// Carries network events, and notes about them, from the proxy's threads to the run loop.

#include <memory>
#include <mutex>
#include <vector>

#include "agentrun/event.hpp"
#include "system/descriptor.hpp"

namespace agentrun::host {

class NetworkFeed {
 public:
  [[nodiscard]] static Result<std::unique_ptr<NetworkFeed>> make();

  /// From any thread. Does not block.
  void push(EventBody event) noexcept;

  /// Readable when take() has something.
  [[nodiscard]] int fd() const noexcept { return pipe_.read.get(); }
  [[nodiscard]] std::vector<EventBody> take();

 private:
  explicit NetworkFeed(Pipe pipe) noexcept : pipe_(std::move(pipe)) {}

  Pipe pipe_;
  std::mutex mutex_;
  std::vector<EventBody> waiting_;
};

}  // namespace agentrun::host
