#pragma once
// Threads that take no signal: those are for the caller's own threads. It also keeps a splice() to a closed socket
// from ending the process with SIGPIPE.

#include <csignal>
#include <thread>
#include <utility>

namespace agentrun::proxy {

/// Throws std::system_error when the system gives no thread.
template <class Work>
[[nodiscard]] std::thread start_quiet_thread(Work work) {
  struct Mask {
    Mask() {
      sigset_t all;
      sigfillset(&all);
      ::pthread_sigmask(SIG_SETMASK, &all, &before);
    }
    ~Mask() { ::pthread_sigmask(SIG_SETMASK, &before, nullptr); }
    sigset_t before{};
  };
  const Mask inherited_by_the_thread;
  return std::thread(std::move(work));
}

}  // namespace agentrun::proxy
