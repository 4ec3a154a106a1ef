#pragma once
// Which of a loop's sockets can go on. Every socket is registered with the system once, edge-triggered, and what the
// system says is remembered until the socket has been used up. (Asio's own waits register anew each time: a fifth of a
// short tunnel's system calls.) The system's queue is itself a descriptor that Asio waits for, so timers, posted work
// and sockets share one thread.

#include <array>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/basic_stream_descriptor.hpp>
#include <cstdint>
#include <deque>
#include <memory>

#include "waiter.hpp"

namespace agentrun::proxy {

/// `broken`: an error or a hang-up, without asking for data.
enum class Readiness { readable, writable, broken };

class Reactor {
 public:
  /// What the system reported of a socket.
  struct Report {
    bool readable = false;
    bool writable = false;
    /// The peer has ended its side, or sends urgent data: a read that gives less than it could is no sign that nothing
    /// is left.
    bool ended = false;
    bool broken = false;
  };

  /// One watched socket. Owned by the reactor, used by the one stream that asked for it, until forget().
  class Source {
   public:
    /// At most one wait for each readiness at a time. Never runs `waiter` at once.
    void when(Readiness readiness, std::unique_ptr<Waiter> waiter) noexcept;
    /// Every wait comes back with false.
    void cancel() noexcept;

    /// A read found nothing left.
    void drained() noexcept { is_readable_ = false; }
    /// A read gave less than was asked for, of a socket where that means that nothing is left, unless it has ended.
    void drained_by_short_read() noexcept { is_readable_ = has_ended_; }
    /// A write found no room.
    void filled() noexcept { is_writable_ = false; }

    /// By what the system has reported so far.
    [[nodiscard]] bool is_ready(Readiness readiness) const noexcept;

   private:
    friend class Reactor;

    Reactor* reactor_ = nullptr;
    std::array<std::unique_ptr<Waiter>, 3> waiting_;
    Source* next_free_ = nullptr;
    std::uint32_t index_ = 0;
    std::uint32_t generation_ = 0;
    bool is_readable_ = false;
    bool is_writable_ = false;
    bool has_ended_ = false;
    bool is_broken_ = false;
  };

  /// Throws boost::system::system_error when the system gives no queue.
  explicit Reactor(boost::asio::io_context& context);
  Reactor(const Reactor&) = delete;
  Reactor& operator=(const Reactor&) = delete;

  /// Null with errno set when the system takes no more.
  [[nodiscard]] Source* watch(int descriptor);
  /// Before the descriptor is closed, which is what unregisters it. Every wait comes back with false.
  void forget(Source& source) noexcept;

  /// Runs what is due; to be called after every turn of the loop. True when something has become due meanwhile: then
  /// the next turn must not wait.
  [[nodiscard]] bool run_due();
  /// For good: no wait keeps the context running any more.
  void stop() noexcept;

 private:
  friend class Source;
  /// A socket's name in the system's queue. One that was forgotten may still be reported, in a batch that has been
  /// fetched, or because a process that is just being started holds a copy: the generation tells.
  using Name = std::uint64_t;

  // By platform.
  [[nodiscard]] static int make_queue();
  [[nodiscard]] static int enroll(int queue, int descriptor, Name name) noexcept;  ///< 0 or an errno
  /// Takes what the system has to report, one batch, and waits again.
  void dispatch();

  void wait();
  void report(Name name, const Report& report);
  void run(std::unique_ptr<Waiter> waiter, bool ready) noexcept;

  using Queue = boost::asio::posix::basic_stream_descriptor<boost::asio::io_context::executor_type>;
  Queue queue_;
  std::deque<Source> sources_;
  Source* free_ = nullptr;
  WaiterQueue ready_;
  WaiterQueue cancelled_;
  bool has_stopped_ = false;
};

}  // namespace agentrun::proxy
