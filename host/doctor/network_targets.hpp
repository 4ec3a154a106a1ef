#pragma once
// Which hosts doctor asks for. Pure.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "agentrun/network_policy.hpp"
#include "doctor/probe.hpp"

namespace agentrun::host {

struct NetworkTargets {
  std::optional<Target> allowed;
  std::optional<Target> refused;
  DenyReason reason = DenyReason::not_allowed;  ///< of the refusal
};

/// `custom`: the first rule's host, against a name that no rule has. `full`: the model service's host (empty: unknown),
/// against an address where clouds keep credentials, which only the filter proxy refuses. Never anything the policy
/// says otherwise about.
[[nodiscard]] NetworkTargets network_targets(const NetworkPolicy& policy, const std::string& service_host,
                                             bool filtered);

/// In 198.18.0.0/15, from which fake-ip DNS tools give every name an address.
[[nodiscard]] bool is_fake_address(std::string_view address);

}  // namespace agentrun::host
