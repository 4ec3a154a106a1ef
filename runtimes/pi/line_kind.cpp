#include "line_kind.hpp"

namespace agentrun::pi {

namespace {

constexpr std::string_view type_key = R"({"type":")";
constexpr std::string_view role_key = R"(","message":{"role":")";

/// `rest` begins behind the value of "type".
LineKind by_role(LineKind kind, std::string_view rest) {
  if (!rest.starts_with(role_key)) return LineKind::unclear;
  rest.remove_prefix(role_key.size());
  if (rest.starts_with("assistant\"")) return kind;
  if (rest.starts_with("user\"") && kind == LineKind::message_ends) return kind;
  return LineKind::other;
}

}  // namespace

LineKind kind_of_type(std::string_view type) noexcept {
  if (type == "message_start") return LineKind::assistant_begins;
  if (type == "message_end") return LineKind::message_ends;
  if (type == "tool_execution_start") return LineKind::tool_begins;
  if (type == "tool_execution_end") return LineKind::tool_ends;
  if (type == "agent_settled") return LineKind::settled;
  return LineKind::other;
}

LineKind line_kind(std::string_view line) noexcept {
  if (!line.starts_with(type_key)) return LineKind::unclear;
  // The longest name is 21 characters; one with an escape in it is left to the parser.
  const std::string_view type = line.substr(type_key.size(), 32);
  const std::size_t end = type.find_first_of("\"\\");
  if (end == std::string_view::npos) return LineKind::other;
  if (type[end] == '\\') return LineKind::unclear;
  const LineKind kind = kind_of_type(type.substr(0, end));
  if (kind != LineKind::assistant_begins && kind != LineKind::message_ends) return kind;
  return by_role(kind, line.substr(type_key.size() + end));
}

}  // namespace agentrun::pi
