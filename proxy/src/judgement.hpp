#pragma once
// What every connection is judged by, and how the judgement ends.

#include <memory>
#include <optional>

#include "agentrun/network_policy.hpp"
#include "agentrun/proxy/resolver.hpp"
#include "agentrun/proxy/upstream.hpp"
#include "network_log.hpp"
#include "target.hpp"

namespace agentrun::proxy {

/// Shared by all loops.
struct Court {
  NetworkPolicy policy;
  Upstream upstream;
  SniCheck check_sni = SniCheck::off;
  std::shared_ptr<Resolver> resolver;
  NetworkLog log;
};

enum class Traffic { tunnel, plain };

/// The upstream proxy on the way to `target`; null: none, it is connected to directly.
[[nodiscard]] const UpstreamServer* upstream_for(const Upstream& upstream, Traffic traffic, const Target& target);

/// Only `addresses` are ever connected to, so a second DNS answer cannot change where an allowed name leads (DNS
/// rebinding).
struct Verdict {
  std::optional<DenyReason> refusal;
  Addresses addresses;  ///< when allowed; empty: the name could not be resolved, or need not be
};

/// When the addresses are known. One private address among public ones is enough to refuse: which one is connected to
/// is the name server's choice.
[[nodiscard]] Verdict conclude(Ruling ruling, Addresses addresses);

}  // namespace agentrun::proxy
