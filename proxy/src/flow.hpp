#pragma once
// One direction of a relay: bytes from one socket to the other, by copying or, once there is much of it, through a
// pipe. Moves what it can and says why it stopped; waiting is the relay's part.

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>

#include "loop.hpp"
#include "pipe_pool.hpp"
#include "response_head.hpp"
#include "stream.hpp"

namespace agentrun::proxy {

enum class FlowStop {
  source_empty,  ///< go on when `from` is readable
  sink_full,     ///< go on when `to` is writable
  source_ended,  ///< `from` has closed its sending side, and everything has gone out
  source_failed,
  sink_failed,
  invalid_head  ///< from the response head filter
};

class Flow {
 public:
  static constexpr std::uint64_t unlimited = std::numeric_limits<std::uint64_t>::max();

  Flow(Loop& loop, Stream& from, Stream& to) noexcept : loop_(loop), from_(from), to_(to) {}
  Flow(const Flow&) = delete;
  Flow& operator=(const Flow&) = delete;
  ~Flow() { release_pipe(); }

  [[nodiscard]] Stream& from() noexcept { return from_; }
  [[nodiscard]] Stream& to() noexcept { return to_; }

  /// Goes out before anything else, unfiltered and not counted by the limit.
  void put_first(std::string bytes) noexcept { held_ = std::move(bytes); }
  /// What comes behind `count` bytes is read and dropped.
  void limit(std::uint64_t count) noexcept { left_ = count; }
  void filter_head(std::unique_ptr<ResponseHeadFilter> filter) noexcept { filter_ = std::move(filter); }
  /// True until the final response head has gone through.
  [[nodiscard]] bool is_filtering() const noexcept { return filter_ != nullptr; }

  /// At most `turn_size` bytes in one go, so that one fast download does not starve the loop's others.
  [[nodiscard]] FlowStop run();
  static constexpr std::size_t turn_size = 2 << 20;

  /// Bytes moved since the last call.
  [[nodiscard]] bool has_moved() noexcept { return std::exchange(has_moved_, false); }

 private:
  /// Nothing: go on.
  [[nodiscard]] std::optional<FlowStop> flush();
  [[nodiscard]] std::optional<FlowStop> flush_pipe();
  [[nodiscard]] std::optional<FlowStop> copy(std::size_t& budget);
  [[nodiscard]] std::optional<FlowStop> splice(std::size_t& budget);
  [[nodiscard]] std::optional<FlowStop> deliver(std::string_view bytes);
  [[nodiscard]] bool is_bulk();
  void count(std::size_t bytes) noexcept;
  void release_pipe() noexcept;

  Loop& loop_;
  Stream& from_;
  Stream& to_;
  std::string held_;
  std::size_t sent_ = 0;  ///< of held_
  std::unique_ptr<Pipe> pipe_;
  std::unique_ptr<ResponseHeadFilter> filter_;
  std::uint64_t left_ = unlimited;
  std::uint32_t streak_ = 0;  ///< bytes read without a small read between them
  bool has_ended_ = false;
  bool has_moved_ = false;
  bool can_splice_ = true;
};

}  // namespace agentrun::proxy
