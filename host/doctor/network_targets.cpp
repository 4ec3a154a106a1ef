#include "doctor/network_targets.hpp"

#include "agentrun/host_name.hpp"

namespace agentrun::host {
namespace {

constexpr std::uint16_t https = 443;

Target target_of(const HostRule& rule) {
  return {rule.wildcard ? "www." + rule.host : rule.host, rule.port.value_or(https)};
}

}  // namespace

NetworkTargets network_targets(const NetworkPolicy& policy, const std::string& service_host, bool filtered) {
  NetworkTargets targets;
  if (policy.mode() == NetworkMode::custom) {
    targets.allowed = target_of(policy.rules().front());
    const Target other{"doctor-check.invalid", https};
    if (policy.judge(other.host, HostForm::name, other.port) == Ruling::not_allowed) targets.refused = other;
    return targets;
  }
  if (!service_host.empty()) targets.allowed = Target{service_host, https};
  if (filtered) targets.refused = Target{"169.254.169.254", 80};
  targets.reason = DenyReason::private_address;
  return targets;
}

bool is_fake_address(std::string_view address) {
  return address.starts_with("198.18.") || address.starts_with("198.19.");
}

}  // namespace agentrun::host
