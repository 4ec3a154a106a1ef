#pragma once
// The caller's own proxy, which the filter proxy then goes through: a value, read once from the environment.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "agentrun/environment.hpp"
#include "agentrun/host_name.hpp"
#include "agentrun/proxy/direct_hosts.hpp"

namespace agentrun::proxy {

/// An HTTP proxy. Nothing of it is told to anybody: not to clients, not in events, not in notes.
struct UpstreamServer {
  HostName host;
  std::uint16_t port = 80;
  std::string authorization;  ///< the value of Proxy-Authorization; empty: none
};

struct Upstream {
  std::optional<UpstreamServer> tunnels;  ///< for CONNECT and SOCKS5; nothing: direct
  std::optional<UpstreamServer> plain;    ///< for plain HTTP; nothing: direct
  DirectHosts direct;                     ///< without it in any case
};

struct UpstreamReading {
  Upstream upstream;
  /// One for each variable that would be taken and cannot be: it counts as no proxy. Names it, never its value.
  std::vector<std::string> notes;
};

/// From `environment`, the caller's: the first of these that is not empty decides.
///  - tunnels: https_proxy, HTTPS_PROXY, all_proxy, ALL_PROXY
///  - plain: http_proxy, HTTP_PROXY, all_proxy, ALL_PROXY
///  - direct: no_proxy, NO_PROXY
/// A proxy is [http://][USER[:PASSWORD]@]HOST[:PORT], user and password percent-encoded, port 80 when there is none,
/// HOST a name or an IPv4 address.
[[nodiscard]] UpstreamReading read_upstream(const Environment& environment);

}  // namespace agentrun::proxy
