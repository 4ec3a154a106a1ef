#pragma once
// The hosts that the caller's no_proxy keeps away from the upstream proxy.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "agentrun/host_name.hpp"

namespace agentrun::proxy {

/// An immutable value; the default holds no host.
class DirectHosts {
 public:
  DirectHosts() = default;

  /// Entries between commas or white space, each possibly with a port: "example.com", ".example.com" and
  /// "*.example.com" (the domain and everything below it), an IPv4 address, "10.0.0.0/8" (no port), "*" (every host).
  /// Entries of no such form are left out, IPv6 among them: the proxy never goes there.
  [[nodiscard]] static DirectHosts parse(std::string_view list);

  /// Addresses match hosts that are written as addresses, not names that lead there.
  [[nodiscard]] bool contains(const HostName& host, std::uint16_t port) const;

 private:
  struct Everything {};
  struct Domain {
    std::string name;
  };
  struct Network {
    std::uint32_t address = 0;
    std::uint32_t mask = 0;
  };
  struct Entry {
    std::variant<Everything, Domain, Network> hosts;
    std::optional<std::uint16_t> port;  ///< nothing: every port
  };
  [[nodiscard]] static std::optional<Network> parse_network(std::string_view text);
  [[nodiscard]] static std::optional<Entry> parse_entry(std::string_view text);
  [[nodiscard]] static bool matches(const Entry& entry, const HostName& host, std::uint16_t port);

  std::vector<Entry> entries_;
};

}  // namespace agentrun::proxy
