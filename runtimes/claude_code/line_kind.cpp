#include "line_kind.hpp"

#include <optional>

namespace agentrun::claude_code {

namespace {

/// The value that `rest` begins with, which is cut off together with its quote. Nothing for one with an escape in it,
/// and for one longer than any that is known.
std::optional<std::string_view> take_value(std::string_view& rest) {
  constexpr std::size_t longest = 32;
  const std::size_t end = rest.substr(0, longest).find_first_of("\"\\");
  if (end == std::string_view::npos || rest[end] == '\\') return std::nullopt;
  const std::string_view value = rest.substr(0, end);
  rest.remove_prefix(end + 1);
  return value;
}

bool take(std::string_view& rest, std::string_view expected) {
  if (!rest.starts_with(expected)) return false;
  rest.remove_prefix(expected.size());
  return true;
}

}  // namespace

LineKind kind_of_type(std::string_view type, std::string_view subtype) noexcept {
  if (type == "assistant") return LineKind::assistant;
  if (type == "user") return LineKind::user;
  if (type == "result") return LineKind::result;
  if (type != "system") return LineKind::other;
  if (subtype == "init") return LineKind::init;
  if (subtype == "permission_denied") return LineKind::permission_denied;
  if (subtype == "task_notification") return LineKind::task_notification;
  return LineKind::other;
}

LineKind line_kind(std::string_view line) noexcept {
  if (!take(line, R"({"type":")")) return LineKind::unclear;
  const auto type = take_value(line);
  if (!type) return LineKind::unclear;
  if (*type != "system") return kind_of_type(*type, {});
  if (!take(line, R"(,"subtype":")")) return LineKind::unclear;
  const auto subtype = take_value(line);
  return subtype ? kind_of_type(*type, *subtype) : LineKind::unclear;
}

}  // namespace agentrun::claude_code
