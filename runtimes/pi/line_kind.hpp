#pragma once
// Tells from the first bytes of a line whether it can matter. Most of pi's output are updates of messages that come
// again whole: they must cost next to nothing.

#include <cstdint>
#include <string_view>

namespace agentrun::pi {

enum class LineKind : std::uint8_t {
  other,  ///< gives no record
  assistant_begins,
  message_ends,  ///< of a user or an assistant
  tool_begins,
  tool_ends,
  settled,
  unclear,  ///< not written the way pi writes: its "type" has to be looked for
};

/// pi writes {"type":"…" and {"role":"…" first in their objects, without white space.
[[nodiscard]] LineKind line_kind(std::string_view line) noexcept;

/// By the value of "type" alone; a message's role is still to be checked.
[[nodiscard]] LineKind kind_of_type(std::string_view type) noexcept;

}  // namespace agentrun::pi
