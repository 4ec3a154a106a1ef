#pragma once
// Where a client wants to go, in the judged form.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "agentrun/host_name.hpp"

namespace agentrun::proxy {

struct Target {
  HostName host;
  std::uint16_t port = 0;
};

/// "HOST" or "HOST:PORT" of a request line or a Host header. Nothing when either part is malformed, user information
/// included; a colon without a port is malformed.
struct Authority {
  HostName host;
  std::optional<std::uint16_t> port;
};
[[nodiscard]] std::optional<Authority> parse_authority(std::string_view text);

/// "HOST:PORT", as events and answers show it.
[[nodiscard]] std::string to_string(const Target& target);

}  // namespace agentrun::proxy
