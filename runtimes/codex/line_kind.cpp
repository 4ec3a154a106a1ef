#include "line_kind.hpp"

#include <algorithm>
#include <cstddef>

namespace agentrun::codex {

namespace {

constexpr std::string_view type_key = R"({"type":")";
constexpr std::string_view item_key = R"(","item":{"id":")";
constexpr std::string_view item_type_key = R"(","type":")";

/// Where the JSON string that `text` begins inside of ends, or an escape in it begins; within the first `limit` bytes.
/// A loop: find_first_of() calls memchr for each byte.
std::size_t end_of_name(std::string_view text, std::size_t limit) noexcept {
  const std::size_t size = std::min(text.size(), limit);
  for (std::size_t i = 0; i < size; ++i) {
    if (text[i] == '"' || text[i] == '\\') return i;
  }
  return std::string_view::npos;
}

/// `rest` begins behind the value of "type".
LineKind by_item(LineKind kind, std::string_view rest) noexcept {
  if (!rest.starts_with(item_key)) return LineKind::unclear;
  rest.remove_prefix(item_key.size());
  // Ids are short ("item_12"); one with an escape in it is left to the parser.
  const std::size_t end = end_of_name(rest, 64);
  if (end == std::string_view::npos) return LineKind::unclear;
  rest.remove_prefix(end);
  if (!rest.starts_with(item_type_key)) return LineKind::unclear;
  rest.remove_prefix(item_type_key.size());
  for (const std::string_view tool : {"command_execution\"", "file_change\"", "mcp_tool_call\""}) {
    if (rest.starts_with(tool)) return kind;
  }
  if (rest.starts_with("agent_message\"")) return kind == LineKind::item_completed ? kind : LineKind::other;
  const std::size_t type_end = end_of_name(rest, 64);
  return type_end == std::string_view::npos || rest[type_end] == '"' ? LineKind::other : LineKind::unclear;
}

}  // namespace

LineKind kind_of_type(std::string_view type) noexcept {
  if (type == "item.completed") return LineKind::item_completed;
  if (type == "item.started") return LineKind::item_started;
  if (type == "thread.started") return LineKind::thread_started;
  if (type == "turn.started") return LineKind::turn_started;
  if (type == "turn.completed") return LineKind::turn_completed;
  if (type == "turn.failed") return LineKind::turn_failed;
  if (type == "error") return LineKind::error;
  return LineKind::other;
}

LineKind line_kind(std::string_view line) noexcept {
  if (!line.starts_with(type_key)) return LineKind::unclear;
  // The longest name that matters is 14 characters.
  const std::string_view type = line.substr(type_key.size());
  const std::size_t end = end_of_name(type, 32);
  if (end == std::string_view::npos) return LineKind::other;
  if (type[end] == '\\') return LineKind::unclear;
  const LineKind kind = kind_of_type(type.substr(0, end));
  if (kind != LineKind::item_started && kind != LineKind::item_completed) return kind;
  return by_item(kind, line.substr(type_key.size() + end));
}

}  // namespace agentrun::codex
