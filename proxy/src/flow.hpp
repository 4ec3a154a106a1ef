#pragma once
// One direction of a relay: bytes from one socket to the other, by copying or, once there is much of it, through a
// pipe. Moves what it can and says why it stopped; waiting is the relay's part. Small, because every idle tunnel has
// two: what is seldom needed is held by pointers.

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "flow_filter.hpp"
#include "loop.hpp"
#include "pipe_pool.hpp"
#include "stream.hpp"

namespace agentrun::proxy {

enum class FlowStop {
  source_empty,  ///< go on when `from` is readable
  sink_full,     ///< go on when `to` is writable
  source_ended,  ///< `from` has closed its sending side, and everything has gone out
  source_failed,
  sink_failed,
  filter_invalid,  ///< from the filter
  filter_refused   ///< from it too
};

class Flow {
 public:
  static constexpr std::uint64_t unlimited = std::numeric_limits<std::uint64_t>::max();

  /// Goes out before anything else, unfiltered and not counted by the limit.
  void put_first(std::string_view bytes) { hold(bytes); }
  /// What comes behind `count` bytes is read and dropped.
  void limit(std::uint64_t count) noexcept { left_ = count; }
  /// Sees everything else until it lets the rest pass.
  void filter(std::unique_ptr<FlowFilter> filter) noexcept { filter_ = std::move(filter); }
  /// Null when there was none, or it has let the rest pass.
  [[nodiscard]] const FlowFilter* filter() const noexcept { return filter_.get(); }

  /// At most `turn_size` bytes in one go, so that one fast download does not starve the loop's others. Always with the
  /// same loop and streams.
  [[nodiscard]] FlowStop run(Loop& loop, Stream& from, Stream& to);
  static constexpr std::size_t turn_size = 2 << 20;

  /// An errno, after source_failed or sink_failed.
  [[nodiscard]] int error() const noexcept { return error_; }

  /// Whether bytes have come since the last call.
  [[nodiscard]] bool has_moved() noexcept { return std::exchange(has_moved_, false); }

  /// At the end: gives the pipe back.
  void close(Loop& loop) noexcept { loop.pipes().give_back(std::move(pipe_)); }

 private:
  /// One call of run().
  struct Turn {
    Loop& loop;
    Stream& from;
    Stream& to;
    std::size_t budget = turn_size;
  };
  struct Held {
    std::string bytes;
    std::size_t sent = 0;
  };

  // Nothing: go on.
  [[nodiscard]] std::optional<FlowStop> flush(Turn& turn);
  [[nodiscard]] std::optional<FlowStop> copy(Turn& turn);
  [[nodiscard]] std::optional<FlowStop> splice(Turn& turn);
  [[nodiscard]] std::optional<FlowStop> deliver(Turn& turn, std::string_view bytes);
  [[nodiscard]] std::optional<FlowStop> obey(FlowFilter::Progress progress, std::string_view out);

  [[nodiscard]] bool is_bulk(Loop& loop);
  void count(std::size_t bytes) noexcept;
  void hold(std::string_view bytes);
  [[nodiscard]] FlowStop fail(FlowStop stop, int error) noexcept;

  std::unique_ptr<Held> held_;
  std::unique_ptr<Pipe> pipe_;
  std::unique_ptr<FlowFilter> filter_;
  std::uint64_t left_ = unlimited;
  int error_ = 0;
  std::uint32_t streak_ = 0;  ///< bytes read without a small read between them
  bool has_ended_ = false;
  bool has_moved_ = false;
  bool can_splice_ = true;
};

}  // namespace agentrun::proxy
