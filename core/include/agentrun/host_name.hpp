#pragma once
// What counts as the name of a host, in one place: proxy targets, --allow-host and base URLs all go through here,
// so that no byte outside [a-z0-9._-] reaches a rule, an event or an upstream's request line.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace agentrun {

enum class HostForm { name, ipv4, ipv6 };

/// A host in its judged form: lower case, trailing dots cut; an IPv6 literal keeps its brackets.
struct HostName {
  std::string text;
  HostForm form = HostForm::name;

  friend bool operator==(const HostName&, const HostName&) = default;
};

/// Nothing when malformed: empty, more than 253 bytes (after the dots are cut), an empty label or one over 63 bytes,
/// a byte other than letters, digits, '-', '_', '.', a zone id, or a last label that is a number without the whole
/// being a plain dotted quad ("2130706433", "0x7f.1": a resolver would read those as addresses).
[[nodiscard]] std::optional<HostName> parse_host(std::string_view raw);

/// 1 to 65535 in plain digits: no sign, no leading zero, nothing else.
[[nodiscard]] std::optional<std::uint16_t> parse_port(std::string_view digits) noexcept;

/// The host of a URL in its judged form: what stands between "://" and the first '/', '?' or '#', without user
/// information and port. Nothing for: no "://", no or a malformed host, a bad or empty port, an IPv6 literal.
[[nodiscard]] std::optional<std::string> url_host(std::string_view url);

/// The port of a URL that url_host() takes: the one it names, else that of its scheme ("http" 80, any other 443).
[[nodiscard]] std::uint16_t url_port(std::string_view url);

}  // namespace agentrun
