#include "answer_head.hpp"

#include <algorithm>

namespace agentrun::proxy {
namespace {

bool is_digit(char byte) noexcept { return byte >= '0' && byte <= '9'; }

constexpr std::string_view status_prefix = "HTTP/1.";

}  // namespace

std::size_t find_head_end(std::string_view bytes, std::size_t from) noexcept {
  for (std::size_t at = bytes.find('\n', from); at != std::string_view::npos; at = bytes.find('\n', at + 1)) {
    std::size_t before = at;
    if (before > 0 && bytes[before - 1] == '\r') --before;
    if (before > 0 && bytes[before - 1] == '\n') return at + 1;
  }
  return bytes.size() + 1;
}

std::string_view first_line_of(std::string_view head) noexcept {
  std::string_view line = head.substr(0, head.find('\n'));
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

std::optional<int> parse_status(std::string_view line) noexcept {
  static constexpr std::size_t code_at = 9;
  if (!line.starts_with(status_prefix) || line.size() < code_at + 3) return std::nullopt;
  if (!is_digit(line[7]) || line[8] != ' ') return std::nullopt;
  const std::string_view code = line.substr(code_at, 3);
  if (!std::ranges::all_of(code, is_digit) || code[0] == '0') return std::nullopt;
  if (line.size() > code_at + 3 && line[code_at + 3] != ' ') return std::nullopt;
  return (code[0] - '0') * 100 + (code[1] - '0') * 10 + (code[2] - '0');
}

bool may_become_status(std::string_view bytes) noexcept {
  if (bytes.find('\n') != std::string_view::npos) return parse_status(first_line_of(bytes)).has_value();
  return bytes.starts_with(status_prefix.substr(0, bytes.size()));
}

}  // namespace agentrun::proxy
