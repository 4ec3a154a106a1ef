#pragma once
// The few rules of HTTP/1.1 (RFC 9110, RFC 9112) about single bytes and words that requests and answers share.

#include <cstddef>
#include <string_view>

namespace agentrun::proxy {

/// Request and response heads, with the blank line that ends them.
inline constexpr std::size_t max_head_size = 65536;

/// Views into the bytes of a head; white space around the value is cut.
struct HeaderField {
  std::string_view name;
  std::string_view value;
};

[[nodiscard]] bool is_token_byte(char byte) noexcept;
[[nodiscard]] bool is_token(std::string_view text) noexcept;

/// 0x00-0x1F and 0x7F, but not the tab.
[[nodiscard]] bool is_forbidden_control(char byte) noexcept;

/// Without spaces and tabs at both ends.
[[nodiscard]] std::string_view trim_blanks(std::string_view text) noexcept;

/// ASCII letters only.
[[nodiscard]] bool equals_ignoring_case(std::string_view left, std::string_view right) noexcept;
[[nodiscard]] bool starts_with_ignoring_case(std::string_view text, std::string_view prefix) noexcept;

/// True when the comma-separated `list` (a Connection value) holds `word`.
[[nodiscard]] bool list_names(std::string_view list, std::string_view word) noexcept;

}  // namespace agentrun::proxy
