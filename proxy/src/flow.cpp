#include "flow.hpp"

#include <algorithm>
#include <cerrno>

namespace agentrun::proxy {
namespace {

/// A flow is bulk when this much came without a small read; a small read ends that.
constexpr std::uint32_t bulk_streak = 512 * 1024;
constexpr std::size_t small_read = 8 * 1024;

}  // namespace

FlowStop Flow::run(Loop& loop, Stream& from, Stream& to) {
  Turn turn{loop, from, to};
  for (;;) {
    if (const auto stop = flush(turn)) return *stop;
    if (has_ended_) return FlowStop::source_ended;
    // Readable again at once: the wait is the pause in which others have their turn.
    if (turn.budget == 0) return FlowStop::source_empty;
    if (const auto stop = is_bulk(loop) ? splice(turn) : copy(turn)) return *stop;
  }
}

std::optional<FlowStop> Flow::flush(Turn& turn) {
  while (held_) {
    const IoResult result = turn.to.send(std::string_view(held_->bytes).substr(held_->sent));
    if (result.would_block()) return FlowStop::sink_full;
    if (result.error != 0) return fail(FlowStop::sink_failed, result.error);
    held_->sent += result.count;
    if (held_->sent == held_->bytes.size()) held_.reset();
  }
  while (pipe_ && pipe_->held() > 0) {
    const IoResult result = pipe_->drain_to(turn.to.descriptor());
    if (result.would_block()) {
      turn.to.is_filled();
      return FlowStop::sink_full;
    }
    if (result.error != 0) return fail(FlowStop::sink_failed, result.error);
  }
  return std::nullopt;
}

std::optional<FlowStop> Flow::copy(Turn& turn) {
  if (!turn.from.may_have_bytes()) return FlowStop::source_empty;
  char* const buffer = turn.loop.scratch();
  const IoResult result = turn.from.receive(buffer, Loop::scratch_size);
  if (result.would_block()) return FlowStop::source_empty;
  if (result.error != 0) return fail(FlowStop::source_failed, result.error);
  if (result.count == 0) {
    has_ended_ = true;
    if (!filter_) return std::nullopt;
    std::string out;
    const FlowFilter::Progress progress = filter_->end(out);
    return obey(progress, out);
  }
  count(result.count);
  turn.budget -= std::min(turn.budget, result.count);
  if (const auto stop = deliver(turn, {buffer, result.count})) return stop;
  // A short read has emptied the socket: the wait that follows sees whatever came since.
  if (result.count < Loop::scratch_size && !held_) return FlowStop::source_empty;
  return std::nullopt;
}

std::optional<FlowStop> Flow::splice(Turn& turn) {
  const std::size_t size = std::min<std::uint64_t>({PipePool::pipe_size, left_, turn.budget});
  const IoResult result = pipe_->fill_from(turn.from.descriptor(), size);
  if (result.would_block()) {
    turn.from.is_drained();
    close(turn.loop);
    return FlowStop::source_empty;
  }
  if (result.error == EINVAL) {  // a kind of socket without splice
    can_splice_ = false;
    return std::nullopt;
  }
  if (result.error != 0) return fail(FlowStop::source_failed, result.error);
  if (result.count == 0) {
    has_ended_ = true;
    return std::nullopt;
  }
  count(result.count);
  turn.budget -= result.count;
  if (left_ != unlimited) left_ -= result.count;
  return std::nullopt;
}

std::optional<FlowStop> Flow::deliver(Turn& turn, std::string_view bytes) {
  if (filter_) {
    std::string out;
    const FlowFilter::Progress progress = filter_->feed(bytes, out);
    return obey(progress, out);
  }
  if (left_ != unlimited) {
    bytes = bytes.substr(0, std::min<std::uint64_t>(bytes.size(), left_));
    left_ -= bytes.size();
  }
  if (bytes.empty()) return std::nullopt;
  const IoResult result = turn.to.send(bytes);
  if (result.error != 0 && !result.would_block()) return fail(FlowStop::sink_failed, result.error);
  hold(bytes.substr(result.count));
  return std::nullopt;
}

std::optional<FlowStop> Flow::obey(FlowFilter::Progress progress, std::string_view out) {
  hold(out);
  if (progress == FlowFilter::Progress::invalid) return FlowStop::filter_invalid;
  if (progress == FlowFilter::Progress::refused) return FlowStop::filter_refused;
  if (progress == FlowFilter::Progress::passed) filter_.reset();
  return std::nullopt;
}

bool Flow::is_bulk(Loop& loop) {
  if (streak_ < bulk_streak || !can_splice_ || left_ == 0 || filter_) {
    if (pipe_) close(loop);
    return false;
  }
  if (!pipe_) pipe_ = loop.pipes().take();
  return pipe_ != nullptr;
}

void Flow::count(std::size_t bytes) noexcept {
  has_moved_ = true;
  streak_ = bytes < small_read ? 0 : static_cast<std::uint32_t>(std::min<std::size_t>(streak_ + bytes, bulk_streak));
}

FlowStop Flow::fail(FlowStop stop, int error) noexcept {
  error_ = error;
  return stop;
}

void Flow::hold(std::string_view bytes) {
  if (!bytes.empty()) held_ = std::make_unique<Held>(Held{std::string(bytes), 0});
}

}  // namespace agentrun::proxy
