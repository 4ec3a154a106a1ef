#pragma once
// One connected (or listening) stream socket on a loop: owned, non-blocking, with readiness to wait for. Whoever holds
// a shared buffer reads only when there is something.

#include <coroutine>
#include <utility>

#include "reactor.hpp"
#include "sockets.hpp"

namespace agentrun::proxy {

class Stream {
 public:
  /// A closed one.
  explicit Stream(Reactor& reactor) noexcept : reactor_(&reactor) {}
  Stream(Stream&& other) noexcept
      : reactor_(other.reactor_),
        source_(std::exchange(other.source_, nullptr)),
        descriptor_(std::exchange(other.descriptor_, -1)),
        family_(other.family_) {}
  Stream& operator=(Stream&&) = delete;
  ~Stream() { close(); }

  /// Takes over `descriptor`, also when it fails (then it is closed). 0 or an errno.
  [[nodiscard]] int adopt(int descriptor, int family) noexcept;

  [[nodiscard]] bool is_open() const noexcept { return descriptor_ >= 0; }
  [[nodiscard]] int descriptor() const noexcept { return descriptor_; }
  [[nodiscard]] int family() const noexcept { return family_; }

  [[nodiscard]] IoResult receive(char* buffer, std::size_t size) noexcept;
  [[nodiscard]] IoResult send(std::string_view bytes) noexcept;
  /// A connection that waits, of a listening one.
  [[nodiscard]] SocketResult accept() noexcept;

  /// False: nothing has come that was not read. A wait will tell.
  [[nodiscard]] bool may_have_bytes() const noexcept { return source_->is_ready(Readiness::readable); }

  /// For calls that were made on descriptor() and would have blocked.
  void is_drained() noexcept { source_->drained(); }
  void is_filled() noexcept { source_->filled(); }

  /// Calls `handler(bool ready)` once, from the loop; false: cancelled or closed. One wait for each readiness at a
  /// time.
  template <class Handler>
  void when(Readiness readiness, Handler handler) {
    source_->when(readiness, make_waiter(std::move(handler)));
  }

  /// co_await stream.ready(…): false when cancelled or closed.
  struct Awaiter {
    Stream& stream;
    Readiness readiness;
    bool is_ready = false;
    [[nodiscard]] bool await_ready() const noexcept { return false; }
    void await_suspend(std::coroutine_handle<> waiting) {
      stream.when(readiness, [this, waiting](bool ready) {
        is_ready = ready;
        waiting.resume();
      });
    }
    [[nodiscard]] bool await_resume() const noexcept { return is_ready; }
  };
  [[nodiscard]] Awaiter ready(Readiness readiness) noexcept { return {*this, readiness}; }

  void cancel() noexcept;
  void shutdown_sending() noexcept;
  void close() noexcept;
  /// Closes with a reset.
  void reset() noexcept;

 private:
  Reactor* reactor_;
  Reactor::Source* source_ = nullptr;
  int descriptor_ = -1;
  int family_ = 0;
};

}  // namespace agentrun::proxy
