#pragma once
// Small, pure operations on text that events, messages and commands share.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace agentrun {

/// Bytes that are not UTF-8 (surrogates and overlong forms too) become U+FFFD, one for each maximal bad sequence.
[[nodiscard]] std::string to_utf8(std::string_view bytes);
[[nodiscard]] bool is_utf8(std::string_view bytes) noexcept;

/// Up to the first '\n' or '\r'.
[[nodiscard]] std::string_view first_line(std::string_view text) noexcept;

/// One line of at most `limit` characters (code points), control characters as spaces; what is longer ends in "…".
[[nodiscard]] std::string summary_line(std::string_view text, std::size_t limit = 120);

/// The first `limit` code points; a maximal bad sequence counts as one.
[[nodiscard]] std::string_view first_characters(std::string_view text, std::size_t limit) noexcept;

/// The last `limit` code points.
[[nodiscard]] std::string_view last_characters(std::string_view text, std::size_t limit) noexcept;

/// Quoted for a POSIX shell where needed, so that a printed command can be pasted.
[[nodiscard]] std::string shell_quote(std::string_view argument);
[[nodiscard]] std::string shell_quote(const std::vector<std::string>& arguments);

/// Appends `text` as a JSON string with its quotes; invalid UTF-8 becomes U+FFFD.
void append_json_string(std::string& out, std::string_view text);

}  // namespace agentrun
