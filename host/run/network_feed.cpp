#include "run/network_feed.hpp"

#include <unistd.h>

#include <utility>

namespace agentrun::host {

Result<std::unique_ptr<NetworkFeed>> NetworkFeed::make() {
  auto pipe = make_pipe();
  if (!pipe) return tl::unexpected(pipe.error());
  set_nonblocking(pipe->read.get());
  set_nonblocking(pipe->write.get());
  return std::unique_ptr<NetworkFeed>(new NetworkFeed(std::move(*pipe)));
}

void NetworkFeed::push(EventBody event) noexcept {
  const std::lock_guard lock(mutex_);
  waiting_.push_back(std::move(event));
  // One byte is enough for all that wait.
  if (waiting_.size() == 1) [[maybe_unused]]
    const auto written = ::write(pipe_.write.get(), "", 1);
}

std::vector<EventBody> NetworkFeed::take() {
  const std::lock_guard lock(mutex_);
  char byte = 0;
  while (::read(pipe_.read.get(), &byte, 1) > 0) {
  }
  return std::exchange(waiting_, {});
}

}  // namespace agentrun::host
