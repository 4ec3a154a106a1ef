#include "agentrun/network_policy.hpp"

#include <utility>

#include "host_table.hpp"

namespace agentrun {

std::string_view to_string(NetworkMode mode) noexcept {
  switch (mode) {
    case NetworkMode::none:
      return "none";
    case NetworkMode::full:
      return "full";
    case NetworkMode::custom:
      return "custom";
  }
  return "none";
}

std::optional<NetworkMode> parse_network_mode(std::string_view text) noexcept {
  for (const NetworkMode mode : {NetworkMode::none, NetworkMode::full, NetworkMode::custom}) {
    if (text == to_string(mode)) return mode;
  }
  return std::nullopt;
}

std::string_view to_string(DenyReason reason) noexcept {
  switch (reason) {
    case DenyReason::not_allowed:
      return "not_allowed";
    case DenyReason::private_address:
      return "private_address";
    case DenyReason::sni_mismatch:
      return "sni_mismatch";
  }
  return "not_allowed";
}

std::string_view to_string(SniCheck check) noexcept {
  switch (check) {
    case SniCheck::off:
      return "off";
    case SniCheck::lenient:
      return "lenient";
    case SniCheck::strict:
      return "strict";
  }
  return "strict";
}

std::optional<SniCheck> parse_sni_check(std::string_view text) noexcept {
  for (const SniCheck check : {SniCheck::off, SniCheck::lenient, SniCheck::strict}) {
    if (text == to_string(check)) return check;
  }
  return std::nullopt;
}

struct NetworkPolicy::Index {
  NetworkMode mode = NetworkMode::none;
  std::vector<HostRule> rules;
  std::vector<std::string> service_hosts;
  HostTable table;
};

NetworkPolicy::NetworkPolicy() : index_(std::make_shared<const Index>()) {}

NetworkPolicy::NetworkPolicy(std::shared_ptr<const Index> index) noexcept : index_(std::move(index)) {}

Result<NetworkPolicy> NetworkPolicy::make(NetworkMode mode, std::vector<HostRule> rules,
                                          std::vector<std::string> service_hosts) {
  if (mode == NetworkMode::custom && rules.empty()) {
    return failure(ErrorCode::usage, "--network 'custom' without a rule allows no host",
                   "Add --allow-host HOST[:PORT], or use --network none");
  }
  if (mode != NetworkMode::custom && !rules.empty()) {
    return failure(
        ErrorCode::usage,
        "--allow-host '" + to_string(rules.front()) + "' has no effect under --network " + std::string(to_string(mode)),
        "Use it with --network custom");
  }
  // A service host is an exact rule for port 443 that holds in every mode.
  std::vector<HostRule> grants = rules;
  for (const std::string& host : service_hosts) grants.push_back({host, false, std::uint16_t{443}});
  for (const HostRule& grant : grants) {
    const auto parsed = parse_host(grant.host);
    if (!parsed || parsed->text != grant.host || parsed->form == HostForm::ipv6) {
      return failure(ErrorCode::usage, '\'' + to_string(grant) + "' is not a host name or an IPv4 address",
                     "Give a host as in example.com");
    }
  }
  auto index = std::make_shared<Index>();
  index->mode = mode;
  index->rules = std::move(rules);
  index->service_hosts = std::move(service_hosts);
  index->table = HostTable(grants);
  return NetworkPolicy(std::move(index));
}

NetworkMode NetworkPolicy::mode() const noexcept { return index_->mode; }

const std::vector<HostRule>& NetworkPolicy::rules() const noexcept { return index_->rules; }

const std::vector<std::string>& NetworkPolicy::service_hosts() const noexcept { return index_->service_hosts; }

bool NetworkPolicy::allows_nothing() const noexcept {
  return index_->mode == NetworkMode::none && index_->service_hosts.empty();
}

Ruling NetworkPolicy::judge(std::string_view host, HostForm form, std::uint16_t port) const noexcept {
  if (form == HostForm::ipv6) return Ruling::not_allowed;
  switch (index_->table.find(host, port)) {
    case Grant::exact:
      return Ruling::allowed;
    case Grant::wildcard:
      return Ruling::allowed_if_public;
    case Grant::none:
      break;
  }
  return index_->mode == NetworkMode::full ? Ruling::allowed_if_public : Ruling::not_allowed;
}

}  // namespace agentrun
