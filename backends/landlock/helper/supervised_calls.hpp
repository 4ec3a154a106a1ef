#pragma once
// What the filter hands over, given to those who answer it.

#include <poll.h>

#include <vector>

#include "connections.hpp"
#include "notifications.hpp"
#include "options.hpp"

namespace agentrun::landlock {

class SupervisedCalls {
 public:
  SupervisedCalls(const Options& options, Descriptor listener);

  /// Appends what to wait for, the listener first.
  void add_waits(std::vector<pollfd>& waits) const;
  /// Milliseconds until serve() should be called anyway; -1: no need.
  [[nodiscard]] int limit() const noexcept { return connections_.limit(); }
  /// Answers what can be answered now.
  void serve();

 private:
  void answer(const seccomp_notif& call);

  const Options& options_;
  Notifications notifications_;
  Connections connections_;
};

}  // namespace agentrun::landlock
