#pragma once
// Big kernel pipes through which bulk data goes from socket to socket without passing through user space. Where the
// system has no such way, or will not give a big pipe, take() gives nothing and data is copied.

#include <atomic>
#include <cstddef>
#include <memory>
#include <vector>

#include "sockets.hpp"

namespace agentrun::proxy {

class Pipe {
 public:
  Pipe(int read_end, int write_end) noexcept : read_end_(read_end), write_end_(write_end) {}
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  ~Pipe();

  [[nodiscard]] std::size_t held() const noexcept { return held_; }
  /// Only while nothing is held: then would_block() means that the socket has nothing.
  [[nodiscard]] IoResult fill_from(int socket, std::size_t limit) noexcept;
  [[nodiscard]] IoResult drain_to(int socket) noexcept;

 private:
  int read_end_;
  int write_end_;
  std::size_t held_ = 0;
};

/// For the flows of one loop.
class PipePool {
 public:
  static constexpr std::size_t pipe_size = 1 << 20;

  /// Nothing when too many are out, or the system gives none.
  [[nodiscard]] std::unique_ptr<Pipe> take();
  /// One that still holds bytes is closed.
  void give_back(std::unique_ptr<Pipe> pipe);

  /// How many flows are bulk just now. From any thread.
  [[nodiscard]] std::size_t out() const noexcept { return out_.load(std::memory_order_relaxed); }

 private:
  /// A user without privileges may have 64 MiB in pipes in all (pipe(7), pipe-user-pages-soft).
  static constexpr std::size_t max_out = 24;
  static constexpr std::size_t max_idle = 4;

  std::vector<std::unique_ptr<Pipe>> idle_;
  std::atomic<std::size_t> out_ = 0;
};

}  // namespace agentrun::proxy
