#include "flow.hpp"

#include <algorithm>
#include <cerrno>

namespace agentrun::proxy {
namespace {

/// A flow is bulk when this much came without a small read; a small read ends that.
constexpr std::uint32_t bulk_streak = 512 * 1024;
constexpr std::size_t small_read = 8 * 1024;

}  // namespace

FlowStop Flow::run() {
  std::size_t budget = turn_size;
  for (;;) {
    if (const auto stop = flush()) return *stop;
    if (has_ended_) return FlowStop::source_ended;
    // Readable again at once: the wait is the pause in which others have their turn.
    if (budget == 0) return FlowStop::source_empty;
    if (const auto stop = is_bulk() ? splice(budget) : copy(budget)) return *stop;
  }
}

std::optional<FlowStop> Flow::flush() {
  while (sent_ < held_.size()) {
    const IoResult result = to_.send(std::string_view(held_).substr(sent_));
    if (result.would_block()) return FlowStop::sink_full;
    if (result.error != 0) return FlowStop::sink_failed;
    sent_ += result.count;
  }
  if (!held_.empty()) {
    std::string().swap(held_);
    sent_ = 0;
  }
  return pipe_ ? flush_pipe() : std::nullopt;
}

std::optional<FlowStop> Flow::flush_pipe() {
  while (pipe_->held() > 0) {
    const IoResult result = pipe_->drain_to(to_.descriptor());
    if (result.would_block()) return FlowStop::sink_full;
    if (result.error != 0) return FlowStop::sink_failed;
  }
  return std::nullopt;
}

std::optional<FlowStop> Flow::copy(std::size_t& budget) {
  const IoResult result = from_.receive(loop_.scratch(), Loop::scratch_size);
  if (result.would_block()) return FlowStop::source_empty;
  if (result.error != 0) return FlowStop::source_failed;
  if (result.count == 0) {
    has_ended_ = true;
    return std::nullopt;
  }
  count(result.count);
  budget -= std::min(budget, result.count);
  if (const auto stop = deliver({loop_.scratch(), result.count})) return stop;
  // A short read has emptied the socket: the wait that follows sees whatever came since.
  if (result.count < Loop::scratch_size && held_.empty()) return FlowStop::source_empty;
  return std::nullopt;
}

std::optional<FlowStop> Flow::splice(std::size_t& budget) {
  const std::size_t size = std::min<std::uint64_t>({PipePool::pipe_size, left_, budget});
  const IoResult result = pipe_->fill_from(from_.descriptor(), size);
  if (result.would_block()) {
    release_pipe();
    return FlowStop::source_empty;
  }
  if (result.error == EINVAL) {  // a socket family without splice
    can_splice_ = false;
    release_pipe();
    return std::nullopt;
  }
  if (result.error != 0) return FlowStop::source_failed;
  if (result.count == 0) {
    has_ended_ = true;
    return std::nullopt;
  }
  count(result.count);
  budget -= result.count;
  if (left_ != unlimited) left_ -= result.count;
  return std::nullopt;
}

std::optional<FlowStop> Flow::deliver(std::string_view bytes) {
  if (filter_) {
    switch (filter_->feed(bytes, held_)) {
      case ResponseHeadFilter::Progress::invalid:
        return FlowStop::invalid_head;
      case ResponseHeadFilter::Progress::passed:
        filter_.reset();
        return std::nullopt;
      case ResponseHeadFilter::Progress::need_more:
        return std::nullopt;
    }
  }
  if (left_ != unlimited) {
    bytes = bytes.substr(0, std::min<std::uint64_t>(bytes.size(), left_));
    left_ -= bytes.size();
  }
  if (bytes.empty()) return std::nullopt;
  const IoResult result = to_.send(bytes);
  if (result.error != 0 && !result.would_block()) return FlowStop::sink_failed;
  held_.assign(bytes.substr(result.count));
  return std::nullopt;
}

bool Flow::is_bulk() {
  if (streak_ < bulk_streak || !can_splice_ || left_ == 0 || filter_) {
    release_pipe();
    return false;
  }
  if (!pipe_) pipe_ = loop_.pipes().take();
  return pipe_ != nullptr;
}

void Flow::count(std::size_t bytes) noexcept {
  has_moved_ = true;
  streak_ = bytes < small_read ? 0 : static_cast<std::uint32_t>(std::min<std::size_t>(streak_ + bytes, bulk_streak));
}

void Flow::release_pipe() noexcept { loop_.pipes().give_back(std::move(pipe_)); }

}  // namespace agentrun::proxy
