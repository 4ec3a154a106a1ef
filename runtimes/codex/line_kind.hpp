#pragma once
// Tells from the first bytes of a line whether it can matter, so that the rest costs next to nothing.

#include <cstdint>
#include <string_view>

namespace agentrun::codex {

enum class LineKind : std::uint8_t {
  other,  ///< gives no record
  thread_started,
  turn_started,
  turn_completed,
  turn_failed,
  error,
  item_started,    ///< of a tool call
  item_completed,  ///< of a tool call or a message
  unclear,         ///< not written the way codex writes: its "type" has to be looked for
};

/// codex writes {"type":"…" first, and {"id":"…","type":"…" first in an item, without white space.
[[nodiscard]] LineKind line_kind(std::string_view line) noexcept;

/// By the value of "type" alone; an item's own type is still to be checked.
[[nodiscard]] LineKind kind_of_type(std::string_view type) noexcept;

}  // namespace agentrun::codex
