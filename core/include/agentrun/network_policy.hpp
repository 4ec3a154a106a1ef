#pragma once
// Which hosts a run may reach: an immutable value, built once, asked for every connection.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "agentrun/host_name.hpp"
#include "agentrun/host_rule.hpp"
#include "agentrun/result.hpp"

namespace agentrun {

enum class NetworkMode { none, full, custom };

[[nodiscard]] std::string_view to_string(NetworkMode mode) noexcept;
[[nodiscard]] std::optional<NetworkMode> parse_network_mode(std::string_view text) noexcept;

enum class DenyReason { not_allowed, private_address, sni_mismatch };

[[nodiscard]] std::string_view to_string(DenyReason reason) noexcept;

/// Whether a tunnel's TLS client hello must name the judged host (server name indication, RFC 6066). A tunnel that
/// fails is closed and told as DenyReason::sni_mismatch.
enum class SniCheck {
  off,
  lenient,  ///< a hello that names a host must name this one; one without a name and what is not TLS pass
  strict    ///< nothing but a hello that names this host passes; to an address, one without a name
};

[[nodiscard]] std::string_view to_string(SniCheck check) noexcept;
[[nodiscard]] std::optional<SniCheck> parse_sni_check(std::string_view text) noexcept;

/// `allowed_if_public`: refused with DenyReason::private_address as soon as one resolved address is private.
enum class Ruling { allowed, allowed_if_public, not_allowed };

/// Copies are cheap and share one index. Safe to ask from several threads.
class NetworkPolicy {
 public:
  /// No host at all.
  NetworkPolicy();

  /// `rules` only with NetworkMode::custom, which needs at least one. `service_hosts` are the model service's hosts
  /// (lower case): reached on port 443 in every mode, private addresses too.
  [[nodiscard]] static Result<NetworkPolicy> make(NetworkMode mode, std::vector<HostRule> rules,
                                                  std::vector<std::string> service_hosts);

  [[nodiscard]] NetworkMode mode() const noexcept;
  [[nodiscard]] const std::vector<HostRule>& rules() const noexcept;
  [[nodiscard]] const std::vector<std::string>& service_hosts() const noexcept;

  /// True when no host can ever be allowed: the network can be cut instead of filtered.
  [[nodiscard]] bool allows_nothing() const noexcept;

  /// First that holds: IPv6 literal: not allowed. An exact rule: allowed, private too. A service host on 443:
  /// allowed. A wildcard rule, or `full`: allowed if public. Else not allowed. Constant time in the number of rules.
  [[nodiscard]] Ruling judge(std::string_view host, HostForm form, std::uint16_t port) const noexcept;

 private:
  struct Index;
  explicit NetworkPolicy(std::shared_ptr<const Index> index) noexcept;
  std::shared_ptr<const Index> index_;
};

}  // namespace agentrun
