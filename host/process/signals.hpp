#pragma once
// The signals that end a job, and the death of children, as something to poll instead of as handlers.

#include <optional>
#include <vector>

#include "agentrun/result.hpp"
#include "system/descriptor.hpp"

namespace agentrun::host {

/// Reads the signals that block_job_signals() has blocked. One a process; not thread-safe.
class SignalSource {
 public:
  [[nodiscard]] static Result<SignalSource> open();

  /// Readable when a signal is waiting.
  [[nodiscard]] int fd() const noexcept { return descriptor_.get(); }

  struct Pending {
    std::vector<int> ending;  ///< SIGINT, SIGTERM, SIGHUP or SIGQUIT, in the order of arrival
    bool child = false;       ///< some child ended
  };
  /// Takes what is waiting; does not block. The first ending signal is remembered.
  [[nodiscard]] Pending take();

  /// The first ending signal taken so far.
  [[nodiscard]] std::optional<int> first() const noexcept { return first_; }

 private:
  explicit SignalSource(Descriptor descriptor) noexcept : descriptor_(std::move(descriptor)) {}
  Descriptor descriptor_;
  std::optional<int> first_;
};

}  // namespace agentrun::host
