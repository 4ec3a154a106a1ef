#pragma once
// Bytes on their way to a descriptor that others share (standard output, standard error): never made non-blocking,
// and never written to when that could block, so that a reader who sleeps cannot keep agentrun from its signals.

#include <cstddef>
#include <string>
#include <string_view>

#include "process/signals.hpp"

namespace agentrun::host {

class OutputQueue {
 public:
  /// Does not own `fd`.
  explicit OutputQueue(int fd) noexcept;

  [[nodiscard]] int fd() const noexcept { return fd_; }
  void push(std::string_view bytes);
  /// The text to append to, for formatters.
  [[nodiscard]] std::string& buffer() noexcept { return pending_; }

  /// Writes what goes without blocking.
  void flush();
  /// Writes the rest, waiting for the reader; stops at the next ending signal, or when the reader is gone.
  void drain(SignalSource& signals);

  [[nodiscard]] bool empty() const noexcept { return written_ == pending_.size(); }
  /// The reader does not keep up: whoever produces should pause.
  [[nodiscard]] bool full() const noexcept { return pending_.size() - written_ > high_water; }
  /// The reader is gone (or the disk is full): everything pushed from now on is dropped.
  [[nodiscard]] bool broken() const noexcept { return error_ != 0; }
  /// The errno that broke it: EPIPE, ENOSPC, …
  [[nodiscard]] int error() const noexcept { return error_; }
  /// For a poll that saw POLLERR.
  void mark_broken(int error) noexcept { error_ = error; }

 private:
  static constexpr std::size_t high_water = std::size_t{1} << 20;

  [[nodiscard]] bool write_some();

  int fd_;
  bool socket_ = false;
  bool regular_ = false;
  int error_ = 0;
  std::size_t written_ = 0;
  std::string pending_;
};

}  // namespace agentrun::host
