#pragma once
// One --allow-host rule.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "agentrun/result.hpp"

namespace agentrun {

/// `host` is lower case without trailing dots; for a wildcard it is the domain behind "*.". Without a port the rule
/// means 443 and 80. A wildcard matches every subdomain at any depth, not the domain itself.
struct HostRule {
  std::string host;
  bool wildcard = false;
  std::optional<std::uint16_t> port;

  friend bool operator==(const HostRule&, const HostRule&) = default;
};

/// HOST[:PORT], HOST a name, an IPv4 literal or "*.DOMAIN". Every refusal has its own sentence and quotes the value.
[[nodiscard]] Result<HostRule> parse_host_rule(std::string_view text);

/// As the user would write it: "*.example.com:8443".
[[nodiscard]] std::string to_string(const HostRule& rule);

}  // namespace agentrun
