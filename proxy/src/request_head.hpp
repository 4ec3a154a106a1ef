#pragma once
// The head of an HTTP request, read as its bytes come. Strict on purpose: where two readers could see two different
// requests (request smuggling), the head is malformed.

#include <cstddef>
#include <string_view>
#include <vector>

#include "http_syntax.hpp"

namespace agentrun::proxy {

/// Views into the bytes that were parsed.
struct RequestHead {
  std::string_view method;
  std::string_view target;
  std::string_view version;  ///< "HTTP/1.0" or "HTTP/1.1"
  std::vector<HeaderField> fields;
  std::size_t size = 0;  ///< with the blank line; what lies behind is no longer the head
};

enum class HeadProgress { need_more, complete, malformed, too_large };

class RequestHeadParser {
 public:
  /// `bytes` is everything since the first byte; earlier calls saw a prefix of it. Says malformed as soon as no
  /// continuation could be right. After anything but need_more, do not call again.
  [[nodiscard]] HeadProgress feed(std::string_view bytes);

  /// After `malformed`: one of malformed.hpp.
  [[nodiscard]] std::string_view problem() const noexcept { return problem_; }

  /// After `complete`, on the same bytes.
  [[nodiscard]] RequestHead head(std::string_view bytes) const;

  /// As far as the request line is known: an answer to HEAD has no body.
  [[nodiscard]] bool is_head_method(std::string_view bytes) const noexcept;

 private:
  /// False: malformed.
  bool end_of_line(std::string_view line);
  HeadProgress fail(std::string_view problem) noexcept;
  /// Of the one empty line that may come before a request.
  [[nodiscard]] bool is_empty_line_start(char byte) const noexcept;

  std::size_t cursor_ = 0;
  std::size_t line_start_ = 0;
  std::size_t first_line_ = 0;  ///< 2 behind a skipped empty line
  bool has_request_line_ = false;
  bool complete_ = false;
  std::string_view problem_;
};

}  // namespace agentrun::proxy
