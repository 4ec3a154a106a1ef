#include "judgement.hpp"

#include <algorithm>
#include <utility>

#include "agentrun/ipv4.hpp"

namespace agentrun::proxy {

Verdict conclude(Ruling ruling, Addresses addresses) {
  if (ruling == Ruling::not_allowed) return {DenyReason::not_allowed, {}};
  if (ruling == Ruling::allowed_if_public && std::ranges::any_of(addresses, is_private_ipv4))
    return {DenyReason::private_address, {}};
  return {std::nullopt, std::move(addresses)};
}

}  // namespace agentrun::proxy
