#pragma once
// Tells from the first bytes of a line whether it can matter: most of dsh's events are about its own state.

#include <cstdint>
#include <string_view>

namespace agentrun::dsh {

enum class EventKind : std::uint8_t {
  other,  ///< gives no record
  session_created,
  user_message,
  assistant_message,
  tool_call,
  tool_result,
  turn_end,
  result,   ///< the runner's own last line
  unclear,  ///< not written the way the runner writes: its "type" has to be looked for
};

/// The runner writes {"type":"… first, without white space.
[[nodiscard]] EventKind event_kind(std::string_view line) noexcept;

/// By the value of "type".
[[nodiscard]] EventKind kind_of_type(std::string_view type) noexcept;

}  // namespace agentrun::dsh
