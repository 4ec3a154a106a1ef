#pragma once
// Tells from the first bytes of a line whether it can matter: progress and pieces of messages that come again whole
// must cost next to nothing.

#include <cstdint>
#include <string_view>

namespace agentrun::claude_code {

enum class LineKind : std::uint8_t {
  other,  ///< gives no record
  init,
  user,
  assistant,
  permission_denied,
  task_notification,
  result,
  unclear,  ///< its "type" or "subtype" is not where it usually is and has to be looked for
};

/// Most lines begin with {"type":"…", those of "system" go on with "subtype".
[[nodiscard]] LineKind line_kind(std::string_view line) noexcept;

/// By the values of "type" and "subtype"; the latter is empty where there is none.
[[nodiscard]] LineKind kind_of_type(std::string_view type, std::string_view subtype) noexcept;

}  // namespace agentrun::claude_code
