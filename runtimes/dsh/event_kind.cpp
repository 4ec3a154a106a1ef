#include "event_kind.hpp"

namespace agentrun::dsh {

EventKind kind_of_type(std::string_view type) noexcept {
  if (type == "tool/call") return EventKind::tool_call;
  if (type == "tool/result") return EventKind::tool_result;
  if (type == "assistant/message") return EventKind::assistant_message;
  if (type == "user/message") return EventKind::user_message;
  if (type == "turn/end") return EventKind::turn_end;
  if (type == "session/created") return EventKind::session_created;
  if (type == "result") return EventKind::result;
  return EventKind::other;
}

EventKind event_kind(std::string_view line) noexcept {
  constexpr std::string_view type_key = R"({"type":")";
  if (!line.starts_with(type_key)) return EventKind::unclear;
  // The names that matter have at most 17 characters; one with an escape in it is left to the parser.
  const std::string_view type = line.substr(type_key.size(), 24);
  const std::size_t end = type.find_first_of("\"\\");
  if (end == std::string_view::npos) return EventKind::other;
  if (type[end] == '\\') return EventKind::unclear;
  return kind_of_type(type.substr(0, end));
}

}  // namespace agentrun::dsh
