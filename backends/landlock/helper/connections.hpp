#pragma once
// Makes TCP sockets, and connects in place of the agent.

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
  Connections(const Options& options, Notifications& notifications)
      : options_(options), notifications_(notifications) {}

  /// Appends what to wait for.
  void add_waits(std::vector<pollfd>& waits) const;
  /// Milliseconds until go_on() should be called anyway; -1: no need.
  [[nodiscard]] int limit() const noexcept { return open_.empty() ? -1 : 20; }
  /// Answers those who waited for a connection that is there now.
  void go_on();

  void make_socket(const seccomp_notif& call);
  void connect(const seccomp_notif& call);

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

  void connect_borrowed(std::uint64_t id, Descriptor socket, Destination to);
  void connect_in_place(std::uint64_t id, const Caller& caller, int number, Destination to);
  /// False while it is still under way.
  [[nodiscard]] bool finish(Open& open);
  void deliver(Open& open);

  const Options& options_;
  Notifications& notifications_;
  LoopbackSockets loopback_;
  std::vector<Open> open_;
  bool borrows_ = true;
};

}  // namespace agentrun::landlock
