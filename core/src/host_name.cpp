#include "agentrun/host_name.hpp"

#include <algorithm>

#include "agentrun/ipv4.hpp"

namespace agentrun {
namespace {

constexpr std::size_t max_name = 253;
constexpr std::size_t max_label = 63;

constexpr bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }
constexpr bool is_hex(char c) noexcept { return is_digit(c) || (c >= 'a' && c <= 'f'); }
constexpr bool is_name_byte(char c) noexcept {
  return (c >= 'a' && c <= 'z') || is_digit(c) || c == '-' || c == '_' || c == '.';
}
constexpr char lower(char c) noexcept { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

std::string lowered(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(), lower);
  return result;
}

/// Digits, or "0x" and hex digits: what inet_aton(3) and URL parsers take for a number.
bool is_number(std::string_view label) noexcept {
  if (std::all_of(label.begin(), label.end(), is_digit)) return true;
  return label.substr(0, 2) == "0x" && std::all_of(label.begin() + 2, label.end(), is_hex);
}

bool has_good_labels(std::string_view name) noexcept {
  while (true) {
    const std::size_t dot = name.find('.');
    const std::size_t length = std::min(dot, name.size());
    if (length == 0 || length > max_label) return false;
    if (dot == std::string_view::npos) return true;
    name.remove_prefix(dot + 1);
  }
}

/// RFC 4291, section 2.2: eight groups of one to four hex digits, "::" once for one or more groups of zeros, the last
/// two groups possibly as a dotted quad. No zone id: it names an interface of this machine.
bool is_ipv6(std::string_view text) noexcept {
  int groups = 0;
  bool gap = false;
  if (text.substr(0, 2) == "::") {
    gap = true;
    text.remove_prefix(2);
    if (text.empty()) return true;
  }
  while (true) {
    const std::size_t colon = text.find(':');
    const std::string_view group = text.substr(0, colon);
    if (colon == std::string_view::npos && group.find('.') != std::string_view::npos) {
      if (!parse_ipv4(group)) return false;
      groups += 2;
      break;
    }
    if (group.empty() || group.size() > 4 || !std::all_of(group.begin(), group.end(), is_hex)) return false;
    ++groups;
    if (colon == std::string_view::npos) break;
    text.remove_prefix(colon + 1);
    if (!text.empty() && text.front() == ':') {
      if (gap) return false;
      gap = true;
      text.remove_prefix(1);
      if (text.empty()) break;
    }
  }
  return gap ? groups <= 7 : groups == 8;
}

std::optional<HostName> parse_bracketed(std::string_view raw) {
  if (raw.size() < 4 || raw.back() != ']') return std::nullopt;
  std::string text = lowered(raw);
  if (!is_ipv6(std::string_view(text).substr(1, text.size() - 2))) return std::nullopt;
  return HostName{std::move(text), HostForm::ipv6};
}

}  // namespace

std::optional<HostName> parse_host(std::string_view raw) {
  if (!raw.empty() && raw.front() == '[') return parse_bracketed(raw);
  const std::size_t last = raw.find_last_not_of('.');
  if (last >= max_name) return std::nullopt;  // npos too: there are only dots
  std::string text = lowered(raw.substr(0, last + 1));
  if (!std::all_of(text.begin(), text.end(), is_name_byte) || !has_good_labels(text)) return std::nullopt;

  const std::string_view last_label = std::string_view(text).substr(text.rfind('.') + 1);
  if (!is_number(last_label)) return HostName{std::move(text), HostForm::name};
  // "127.1", "0x7f.1" or "2130706433" would pass every rule about names, and then the resolver makes 127.0.0.1 of it.
  if (!parse_ipv4(text)) return std::nullopt;
  return HostName{std::move(text), HostForm::ipv4};
}

std::optional<std::uint16_t> parse_port(std::string_view digits) noexcept {
  if (digits.empty() || digits.size() > 5 || digits.front() == '0') return std::nullopt;
  std::uint32_t value = 0;
  for (const char c : digits) {
    if (!is_digit(c)) return std::nullopt;
    value = value * 10 + static_cast<std::uint32_t>(c - '0');
  }
  if (value > 65535) return std::nullopt;
  return static_cast<std::uint16_t>(value);
}

std::optional<std::string> url_host(std::string_view url) {
  const std::size_t scheme_end = url.find("://");
  if (scheme_end == std::string_view::npos) return std::nullopt;
  // "http:evil.test://good.test" is evil.test to the runtimes' own URL parser.
  if (url.substr(0, scheme_end).find_first_of(":/?#\\") != std::string_view::npos) return std::nullopt;
  std::string_view authority = url.substr(scheme_end + 3);
  authority = authority.substr(0, authority.find_first_of("/?#"));
  // That parser also reads a backslash as a slash: "https://evil.test\@good.test" is evil.test to it.
  if (authority.find('\\') != std::string_view::npos) return std::nullopt;
  const std::size_t at = authority.rfind('@');
  if (at != std::string_view::npos) authority.remove_prefix(at + 1);
  const std::size_t colon = authority.find(':');
  if (colon != std::string_view::npos && !parse_port(authority.substr(colon + 1))) return std::nullopt;
  auto host = parse_host(authority.substr(0, colon));
  if (!host || host->form == HostForm::ipv6) return std::nullopt;
  return std::move(host->text);
}

std::uint16_t url_port(std::string_view url) {
  const std::size_t scheme_end = url.find("://");
  std::string_view authority = url.substr(scheme_end + 3);
  authority = authority.substr(0, authority.find_first_of("/?#"));
  const std::size_t at = authority.rfind('@');
  if (at != std::string_view::npos) authority.remove_prefix(at + 1);
  const std::size_t colon = authority.find(':');
  if (colon != std::string_view::npos) return parse_port(authority.substr(colon + 1)).value_or(0);
  return lowered(url.substr(0, scheme_end)) == "http" ? 80 : 443;
}

}  // namespace agentrun
