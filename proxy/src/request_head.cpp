#include "request_head.hpp"

#include <algorithm>
#include <optional>

#include "malformed.hpp"

namespace agentrun::proxy {
namespace {

struct RequestLine {
  std::string_view method;
  std::string_view target;
  std::string_view version;
};

std::optional<RequestLine> parse_request_line(std::string_view line) noexcept {
  const std::size_t first = line.find(' ');
  if (first == std::string_view::npos) return std::nullopt;
  const std::size_t second = line.find(' ', first + 1);
  if (second == std::string_view::npos) return std::nullopt;
  const RequestLine parts{line.substr(0, first), line.substr(first + 1, second - first - 1), line.substr(second + 1)};
  if (!is_token(parts.method) || parts.target.empty()) return std::nullopt;
  const auto is_visible = [](char byte) { return byte >= 0x21 && byte <= 0x7E; };
  if (!std::ranges::all_of(parts.target, is_visible)) return std::nullopt;
  if (parts.version != "HTTP/1.1" && parts.version != "HTTP/1.0") return std::nullopt;
  return parts;
}

/// Nothing for a folded line, white space before the colon or a name that is no token: readers disagree on them.
std::optional<HeaderField> parse_field(std::string_view line) noexcept {
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos || !is_token(line.substr(0, colon))) return std::nullopt;
  return HeaderField{line.substr(0, colon), trim_blanks(line.substr(colon + 1))};
}

}  // namespace

bool RequestHeadParser::end_of_line(std::string_view line) {
  if (has_request_line_) {
    complete_ = line.empty();
    return complete_ || parse_field(line).has_value();
  }
  if (line.empty()) {
    // One empty line before a request comes from clients that end a body with one too many (RFC 9112, 2.2).
    if (line_start_ != 0) return false;
    first_line_ = 2;
    return true;
  }
  has_request_line_ = parse_request_line(line).has_value();
  return has_request_line_;
}

bool RequestHeadParser::is_empty_line_start(char byte) const noexcept { return cursor_ == 0 && byte == '\r'; }

HeadProgress RequestHeadParser::feed(std::string_view bytes) {
  const std::size_t end = std::min(bytes.size(), max_head_size);
  for (; cursor_ < end; ++cursor_) {
    const char byte = bytes[cursor_];
    const bool after_return = cursor_ > line_start_ && bytes[cursor_ - 1] == '\r';
    if (byte == '\n') {
      if (!after_return) return fail(malformed::line_end);
      if (!end_of_line(bytes.substr(line_start_, cursor_ - 1 - line_start_)))
        return fail(has_request_line_ ? malformed::field : malformed::request_line);
      line_start_ = cursor_ + 1;
      if (complete_) return HeadProgress::complete;
      continue;
    }
    if (after_return) return fail(malformed::line_end);
    if (cursor_ == first_line_ && !is_token_byte(byte) && !is_empty_line_start(byte)) return fail(malformed::beginning);
    if (byte != '\r' && is_forbidden_control(byte)) return fail(malformed::control_byte);
  }
  return bytes.size() >= max_head_size ? HeadProgress::too_large : HeadProgress::need_more;
}

HeadProgress RequestHeadParser::fail(std::string_view problem) noexcept {
  problem_ = problem;
  return HeadProgress::malformed;
}

RequestHead RequestHeadParser::head(std::string_view bytes) const {
  RequestHead head;
  head.size = line_start_;
  std::size_t start = first_line_;
  const auto next_line = [&] {
    const std::size_t end = bytes.find("\r\n", start);
    const std::string_view line = bytes.substr(start, end - start);
    start = end + 2;
    return line;
  };
  if (const auto line = parse_request_line(next_line())) {
    head.method = line->method;
    head.target = line->target;
    head.version = line->version;
  }
  head.fields.reserve(8);
  for (std::string_view line = next_line(); !line.empty(); line = next_line()) {
    if (const auto field = parse_field(line)) head.fields.push_back(*field);
  }
  return head;
}

bool RequestHeadParser::is_head_method(std::string_view bytes) const noexcept {
  return bytes.substr(std::min(first_line_, bytes.size())).starts_with("HEAD ");
}

}  // namespace agentrun::proxy
