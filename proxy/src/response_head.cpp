#include "response_head.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "answer_head.hpp"
#include "http_syntax.hpp"

namespace agentrun::proxy {
namespace {

constexpr int switching_protocols = 101;
constexpr int proxy_authentication_required = 407;

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

FlowFilter::Progress ResponseHeadFilter::feed(std::string_view bytes, std::string& out) {
  held_.append(bytes);
  for (;;) {
    const std::size_t size = find_head_end(held_, searched_);
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
    if (hop_ == Hop::upstream && *status == proxy_authentication_required) return Progress::refused;
    const bool is_final = !is_interim(*status);
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
