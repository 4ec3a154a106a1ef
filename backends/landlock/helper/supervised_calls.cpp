#include "supervised_calls.hpp"

#include <sys/syscall.h>

#include <cerrno>

#include "locks.hpp"
#include "metadata.hpp"

namespace agentrun::landlock {

SupervisedCalls::SupervisedCalls(const Options& options, Descriptor listener)
    : options_(options), notifications_(std::move(listener)), connections_(options_, notifications_) {}

void SupervisedCalls::add_waits(std::vector<pollfd>& waits) const {
  waits.push_back({notifications_.get(), POLLIN, 0});
  connections_.add_waits(waits);
}

void SupervisedCalls::serve() {
  connections_.go_on();
  pollfd more{notifications_.get(), POLLIN, 0};
  // Not forever: signals and ends of processes are waited for at the same place.
  for (int count = 0; count < 64 && ::poll(&more, 1, 0) == 1 && (more.revents & POLLIN) != 0; ++count) {
    if (const seccomp_notif* call = notifications_.receive()) answer(*call);
  }
}

void SupervisedCalls::answer(const seccomp_notif& call) {
  if (call.data.nr == SYS_socket) return connections_.make_socket(call);
  if (call.data.nr == SYS_connect) return connections_.connect(call);
  const Caller caller(static_cast<pid_t>(call.pid));
  // A thread that is gone meanwhile was killed; its number may be a stranger's by now, whose files are judged alike.
  if (const auto error = change_metadata(call.data, caller, options_)) {
    return *error == 0 ? notifications_.succeed(call.id) : notifications_.fail(call.id, *error);
  }
  if (const auto error = change_lock(call.data, caller, options_)) {
    return *error == 0 ? notifications_.succeed(call.id) : notifications_.fail(call.id, *error);
  }
  notifications_.let_pass(call.id);
}

}  // namespace agentrun::landlock
