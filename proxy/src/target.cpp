#include "target.hpp"

#include <utility>

namespace agentrun::proxy {

std::optional<Authority> parse_authority(std::string_view text) {
  // The colons of an IPv6 literal stand inside its brackets.
  const std::size_t search_from = text.starts_with('[') ? text.find(']') : 0;
  if (search_from == std::string_view::npos) return std::nullopt;
  const std::size_t colon = text.find(':', search_from);

  std::optional<HostName> host = parse_host(text.substr(0, colon));
  if (!host) return std::nullopt;
  Authority authority{std::move(*host), std::nullopt};
  if (colon != std::string_view::npos) {
    authority.port = parse_port(text.substr(colon + 1));
    if (!authority.port) return std::nullopt;
  }
  return authority;
}

std::string to_string(const Target& target) { return target.host.text + ':' + std::to_string(target.port); }

}  // namespace agentrun::proxy
