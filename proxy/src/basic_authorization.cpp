#include "basic_authorization.hpp"

#include <cstdint>
#include <optional>

namespace agentrun::proxy {
namespace {

std::optional<unsigned> hex_value(char digit) noexcept {
  if (digit >= '0' && digit <= '9') return static_cast<unsigned>(digit - '0');
  if (digit >= 'a' && digit <= 'f') return static_cast<unsigned>(digit - 'a' + 10);
  if (digit >= 'A' && digit <= 'F') return static_cast<unsigned>(digit - 'A' + 10);
  return std::nullopt;
}

}  // namespace

std::string percent_decoded(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    if (text.front() == '%' && text.size() >= 3) {
      const auto high = hex_value(text[1]);
      const auto low = hex_value(text[2]);
      if (high && low) {
        out.push_back(static_cast<char>(*high << 4 | *low));
        text.remove_prefix(3);
        continue;
      }
    }
    out.push_back(text.front());
    text.remove_prefix(1);
  }
  return out;
}

std::string base64(std::string_view bytes) {
  static constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  while (!bytes.empty()) {
    const std::string_view group = bytes.substr(0, 3);
    bytes.remove_prefix(group.size());
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < 3; ++i)
      bits = bits << 8 | (i < group.size() ? static_cast<std::uint8_t>(group[i]) : 0U);
    for (std::size_t i = 0; i < 4; ++i) out.push_back(i <= group.size() ? alphabet[bits >> (18 - 6 * i) & 0x3FU] : '=');
  }
  return out;
}

std::string basic_authorization(std::string_view user_information) {
  const std::size_t colon = user_information.find(':');
  std::string credentials = percent_decoded(user_information.substr(0, colon)) + ':';
  if (colon != std::string_view::npos) credentials += percent_decoded(user_information.substr(colon + 1));
  return "Basic " + base64(credentials);
}

}  // namespace agentrun::proxy
