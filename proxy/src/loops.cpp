#include "loops.hpp"

#include <algorithm>
#include <exception>
#include <utility>

namespace agentrun::proxy {

Loops::Loops(const Timeouts& timeouts, unsigned count) : timeouts_(timeouts), count_(std::max(count, 1U)) {
  loops_.reserve(count_);
  loops_.push_back(std::make_unique<Loop>(timeouts_));
}

Loop& Loops::for_new_connection() noexcept {
  const auto least = std::ranges::min_element(loops_, {}, [](const auto& loop) { return loop->pipes().out(); });
  if ((*least)->pipes().out() == 0 || loops_.size() == count_) return **least;
  try {
    auto loop = std::make_unique<Loop>(timeouts_);
    loop->start();
    loops_.push_back(std::move(loop));
    return *loops_.back();
  } catch (const std::exception&) {  // no descriptors or no thread to be had: it goes on with what there is
    return **least;
  }
}

void Loops::stop() noexcept {
  for (const auto& loop : loops_) loop->stop();
}

}  // namespace agentrun::proxy
