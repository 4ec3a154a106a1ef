#pragma once
// Answers the calls that the filter hands over: makes TCP sockets, and connects in place of the agent.

#include <poll.h>

#include <vector>

#include "destination.hpp"
#include "loopback_socket.hpp"
#include "notifications.hpp"
#include "options.hpp"

namespace agentrun::landlock {

/// The address is copied once, judged, and the connection made with that copy: by the agent's own socket where it can
/// be borrowed, else by a new one that is put over the agent's descriptor. One thread serves all callers, so nothing
/// here waits: a connection that is not there at once is finished later.
class Connections {
 public:
  Connections(const Options& options, Descriptor listener);

  /// Appends what to wait for.
  void add_waits(std::vector<pollfd>& waits) const;
  /// Milliseconds until serve() should be called anyway; -1: no need.
  [[nodiscard]] int limit() const noexcept { return open_.empty() ? -1 : 20; }
  /// Answers what can be answered now.
  void serve();
  /// The listener had no caller left (POLLHUP).
  void close() noexcept;

 private:
  /// A connection that its caller waits for.
  struct Open {
    std::uint64_t id = 0;
    Descriptor socket;
    bool own = false;  ///< a new socket, for `number`
    int number = -1;   ///< of the caller's descriptor
    bool close_on_exec = false;
    bool retry = false;  ///< a unix socket whose queue was full: connect again
    Destination to;
  };

  void answer(const seccomp_notif& call);
  void make_socket(const seccomp_notif& call);
  void connect(const seccomp_notif& call);
  void connect_borrowed(std::uint64_t id, Descriptor socket, Destination to);
  void connect_in_place(std::uint64_t id, const Caller& caller, int number, Destination to);
  /// False while it is still under way.
  [[nodiscard]] bool finish(Open& open);
  void deliver(Open& open);

  const Options& options_;
  Notifications notifications_;
  LoopbackSockets loopback_;
  std::vector<Open> open_;
  bool borrows_ = true;
};

}  // namespace agentrun::landlock
