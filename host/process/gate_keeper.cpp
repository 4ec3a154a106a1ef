#include "process/gate_keeper.hpp"

#include <poll.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "agentrun/text.hpp"

namespace agentrun::host {
namespace {

/// One report. A second descriptor in it is dropped by the kernel (MSG_CTRUNC), and nothing is taken afterwards.
struct Report {
  bool arrived = false;
  Descriptor listener;
};

Report receive(int channel) {
  Report report;
  char byte = 0;
  iovec bytes{&byte, 1};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> control{};
  msghdr message{};
  message.msg_iov = &bytes;
  message.msg_iovlen = 1;
  message.msg_control = control.data();
  message.msg_controllen = control.size();
  ssize_t count = 0;
  do {
    count = ::recvmsg(channel, &message, MSG_CMSG_CLOEXEC);
  } while (count < 0 && errno == EINTR);
  report.arrived = count == 1;
  const cmsghdr* header = CMSG_FIRSTHDR(&message);
  if (header != nullptr && header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_RIGHTS) {
    int number = -1;
    std::memcpy(&number, CMSG_DATA(header), sizeof number);
    report.listener.reset(number);
  }
  return report;
}

}  // namespace

Result<GateKeeper> GateKeeper::make() {
  GateKeeper keeper;
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    return failure(ErrorCode::io, "cannot make a socket pair (" + system_text(errno) + ")",
                   "Raise the limit of open files (ulimit -n)");
  }
  keeper.ours_.reset(ends[0]);
  keeper.theirs_.reset(ends[1]);
  auto error = make_pipe();
  if (!error) return tl::unexpected(error.error());
  keeper.error_ = std::move(*error);
  return keeper;
}

void GateKeeper::add_to(SpawnRequest& request) const {
  request.extra = {{Gate::channel, theirs_.get()}, {Gate::standard_error, request.standard_error}};
  request.standard_error = error_.write.get();
}

Result<Descriptor> GateKeeper::wait(SignalSource& signals, std::chrono::milliseconds limit) {
  theirs_.reset();
  error_.write.reset();
  const auto deadline = std::chrono::steady_clock::now() + limit;
  while (true) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
    std::array<pollfd, 2> waits{{{ours_.get(), POLLIN, 0}, {signals.fd(), POLLIN, 0}}};
    const int ready = left.count() > 0 ? ::poll(waits.data(), waits.size(), static_cast<int>(left.count())) : 0;
    if (ready < 0 && errno == EINTR) continue;
    if (ready == 0) return failure(ErrorCode::unavailable, "the sandbox did not stand in time");
    if (waits[1].revents != 0 && !signals.take().ending.empty()) {
      return failure(ErrorCode::interrupted, "interrupted before the start");
    }
    if (waits[0].revents == 0) continue;
    Report report = receive(ours_.get());
    if (report.arrived) return std::move(report.listener);
    return failure(ErrorCode::unavailable, first_error_line());
  }
}

void GateKeeper::let_in() noexcept {
  [[maybe_unused]] const auto sent = ::send(ours_.get(), "g", 1, MSG_NOSIGNAL);
  ours_.reset();
}

std::string GateKeeper::first_error_line() const {
  std::array<char, 4096> text{};
  pollfd more{error_.read.get(), POLLIN, 0};
  const ssize_t count = ::poll(&more, 1, 0) == 1 ? ::read(error_.read.get(), text.data(), text.size()) : 0;
  const std::string_view line =
      first_line(std::string_view(text.data(), count > 0 ? static_cast<std::size_t>(count) : 0));
  return line.empty() ? "the sandbox ended before it stood" : to_utf8(line);
}

}  // namespace agentrun::host
