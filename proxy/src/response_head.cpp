#include "response_head.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "http_syntax.hpp"

namespace agentrun::proxy {
namespace {

constexpr int switching_protocols = 101;

bool is_digit(char byte) noexcept { return byte >= '0' && byte <= '9'; }

constexpr std::string_view status_prefix = "HTTP/1.";

/// "HTTP/1.x CODE", then nothing or a space and a phrase.
std::optional<int> parse_status(std::string_view line) noexcept {
  static constexpr std::size_t code_at = 9;
  if (!line.starts_with(status_prefix) || line.size() < code_at + 3) return std::nullopt;
  if (!is_digit(line[7]) || line[8] != ' ') return std::nullopt;
  const std::string_view code = line.substr(code_at, 3);
  if (!std::ranges::all_of(code, is_digit) || code[0] == '0') return std::nullopt;
  if (line.size() > code_at + 3 && line[code_at + 3] != ' ') return std::nullopt;
  return (code[0] - '0') * 100 + (code[1] - '0') * 10 + (code[2] - '0');
}

/// Without its line end.
std::string_view first_line_of(std::string_view head) noexcept {
  std::string_view line = head.substr(0, head.find('\n'));
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

/// False as soon as the first bytes can begin no status line: the end of such a head may never come.
bool may_become_status(std::string_view bytes) noexcept {
  if (bytes.find('\n') != std::string_view::npos) return parse_status(first_line_of(bytes)).has_value();
  return bytes.starts_with(status_prefix.substr(0, bytes.size()));
}

/// Transfer-Encoding is not among them: the body goes on as it came, so its coding must be told.
bool is_hop_by_hop(std::string_view name) noexcept {
  static constexpr std::array<std::string_view, 5> names = {"Connection", "Keep-Alive", "TE", "Trailer", "Upgrade"};
  return std::ranges::any_of(names, [name](std::string_view other) { return equals_ignoring_case(name, other); }) ||
         starts_with_ignoring_case(name, "Proxy-");
}

/// They say where the body ends, so a Connection line cannot name them away.
bool is_framing(std::string_view name) noexcept {
  return equals_ignoring_case(name, "Content-Length") || equals_ignoring_case(name, "Transfer-Encoding");
}

struct Line {
  std::string_view name;
  std::string value;
};

/// Folded lines are joined by a space; lines that are no fields are left out.
std::vector<Line> parse_lines(std::string_view text) {
  std::vector<Line> lines;
  bool last_is_field = false;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.starts_with(' ') || line.starts_with('\t')) {
      if (last_is_field) lines.back().value.append(" ").append(trim_blanks(line));
      continue;
    }
    const std::size_t colon = line.find(':');
    const std::string_view name = trim_blanks(line.substr(0, colon));
    last_is_field = colon != std::string_view::npos && is_token(name);
    if (last_is_field) lines.push_back({name, std::string(trim_blanks(line.substr(colon + 1)))});
  }
  return lines;
}

/// Where the head ends, with its blank line, looking at `from` and behind; the size of `bytes` plus one when not yet.
std::size_t find_end(std::string_view bytes, std::size_t from) noexcept {
  for (std::size_t at = bytes.find('\n', from); at != std::string_view::npos; at = bytes.find('\n', at + 1)) {
    std::size_t before = at;
    if (before > 0 && bytes[before - 1] == '\r') --before;
    if (before > 0 && bytes[before - 1] == '\n') return at + 1;
  }
  return bytes.size() + 1;
}

bool has_forbidden_byte(std::string_view head) noexcept {
  for (std::size_t i = 0; i < head.size(); ++i) {
    if (head[i] == '\n') continue;
    if (head[i] == '\r' && i + 1 < head.size() && head[i + 1] == '\n') continue;
    if (is_forbidden_control(head[i])) return true;
  }
  return false;
}

std::string rewritten(std::string_view status_line, const std::vector<Line>& lines, bool is_final) {
  const auto is_named = [&lines](std::string_view name) {
    return std::ranges::any_of(lines, [name](const Line& line) {
      return equals_ignoring_case(line.name, "Connection") && list_names(line.value, name);
    });
  };
  std::string out(status_line);
  out.append("\r\n");
  for (const Line& line : lines) {
    if (is_hop_by_hop(line.name) || (is_named(line.name) && !is_framing(line.name))) continue;
    out.append(line.name).append(": ").append(line.value).append("\r\n");
  }
  out.append(is_final ? "Connection: close\r\n\r\n" : "\r\n");
  return out;
}

}  // namespace

ResponseHeadFilter::Progress ResponseHeadFilter::feed(std::string_view bytes, std::string& out) {
  held_.append(bytes);
  for (;;) {
    const std::size_t size = find_end(held_, searched_);
    if (std::min(size, held_.size()) > max_head_size) return Progress::invalid;
    if (size > held_.size()) {
      searched_ = held_.size();
      return may_become_status(held_) ? Progress::need_more : Progress::invalid;
    }
    const std::string_view head = std::string_view(held_).substr(0, size);
    if (has_forbidden_byte(head)) return Progress::invalid;
    const std::string_view status_line = first_line_of(head);
    const std::optional<int> status = parse_status(status_line);
    // 101 would end HTTP on this connection; nobody asked for it, since Upgrade is not passed on.
    if (!status || *status == switching_protocols) return Progress::invalid;
    const bool is_final = *status >= 200;
    out.append(rewritten(status_line, parse_lines(head.substr(head.find('\n') + 1)), is_final));
    held_.erase(0, size);
    searched_ = 0;
    if (is_final) {
      out.append(held_);
      held_ = {};
      return Progress::passed;
    }
  }
}

}  // namespace agentrun::proxy
