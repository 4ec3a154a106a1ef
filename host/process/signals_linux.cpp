#include <sys/signalfd.h>

#include <cerrno>
#include <csignal>

#include "agentrun/host/run.hpp"
#include "process/signals.hpp"

namespace agentrun::host {
namespace {

sigset_t job_signals() {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGCHLD}) sigaddset(&set, signal);
  return set;
}

}  // namespace

void block_job_signals() {
  sigset_t set = job_signals();
  // Setting the terminal's foreground group back from a background group would otherwise stop agentrun.
  sigaddset(&set, SIGTTOU);
  ::pthread_sigmask(SIG_BLOCK, &set, nullptr);
  // A parent may have left SIGCHLD ignored, which would reap children before their exit code is read.
  ::signal(SIGCHLD, SIG_DFL);
}

Result<SignalSource> SignalSource::open() {
  const sigset_t set = job_signals();
  Descriptor descriptor(::signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
  if (!descriptor.valid()) return failure(ErrorCode::io, "cannot watch signals (" + system_text(errno) + ")");
  return SignalSource(std::move(descriptor));
}

SignalSource::Pending SignalSource::take() {
  Pending pending;
  signalfd_siginfo info;
  while (::read(descriptor_.get(), &info, sizeof info) == static_cast<ssize_t>(sizeof info)) {
    const int signal = static_cast<int>(info.ssi_signo);
    if (signal == SIGCHLD) {
      pending.child = true;
      continue;
    }
    if (!first_) first_ = signal;
    pending.ending.push_back(signal);
  }
  return pending;
}

}  // namespace agentrun::host
