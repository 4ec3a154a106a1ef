#include "judgement.hpp"

#include <algorithm>
#include <utility>

#include "agentrun/ipv4.hpp"

namespace agentrun::proxy {

const UpstreamServer* upstream_for(const Upstream& upstream, Traffic traffic, const Target& target) {
  const std::optional<UpstreamServer>& server = traffic == Traffic::tunnel ? upstream.tunnels : upstream.plain;
  return server && !upstream.direct.contains(target.host, target.port) ? &*server : nullptr;
}

Verdict conclude(Ruling ruling, Addresses addresses) {
  if (ruling == Ruling::not_allowed) return {DenyReason::not_allowed, {}};
  if (ruling == Ruling::allowed_if_public && std::ranges::any_of(addresses, is_private_ipv4))
    return {DenyReason::private_address, {}};
  return {std::nullopt, std::move(addresses)};
}

}  // namespace agentrun::proxy
