#include "http_syntax.hpp"

#include <algorithm>
#include <array>

namespace agentrun::proxy {
namespace {

constexpr std::array<bool, 256> make_token_table() {
  std::array<bool, 256> table{};
  for (unsigned char c = '0'; c <= '9'; ++c) table[c] = true;
  for (unsigned char c = 'a'; c <= 'z'; ++c) table[c] = true;
  for (unsigned char c = 'A'; c <= 'Z'; ++c) table[c] = true;
  for (const char c : std::string_view("!#$%&'*+-.^_`|~")) table[static_cast<unsigned char>(c)] = true;
  return table;
}

constexpr std::array<bool, 256> token_table = make_token_table();

constexpr char lower(char byte) noexcept {
  return byte >= 'A' && byte <= 'Z' ? static_cast<char>(byte - 'A' + 'a') : byte;
}

constexpr bool is_blank(char byte) noexcept { return byte == ' ' || byte == '\t'; }

}  // namespace

bool is_token_byte(char byte) noexcept { return token_table[static_cast<unsigned char>(byte)]; }

bool is_token(std::string_view text) noexcept { return !text.empty() && std::ranges::all_of(text, is_token_byte); }

bool is_forbidden_control(char byte) noexcept {
  const auto value = static_cast<unsigned char>(byte);
  return (value < 0x20 && value != '\t') || value == 0x7F;
}

std::string_view trim_blanks(std::string_view text) noexcept {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

bool equals_ignoring_case(std::string_view left, std::string_view right) noexcept {
  return left.size() == right.size() &&
         std::equal(left.begin(), left.end(), right.begin(), [](char a, char b) { return lower(a) == lower(b); });
}

bool starts_with_ignoring_case(std::string_view text, std::string_view prefix) noexcept {
  return text.size() >= prefix.size() && equals_ignoring_case(text.substr(0, prefix.size()), prefix);
}

bool list_names(std::string_view list, std::string_view word) noexcept {
  for (;;) {
    const std::size_t comma = list.find(',');
    if (equals_ignoring_case(trim_blanks(list.substr(0, comma)), word)) return true;
    if (comma == std::string_view::npos) return false;
    list.remove_prefix(comma + 1);
  }
}

}  // namespace agentrun::proxy
