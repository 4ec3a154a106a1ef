#include "wrapper.hpp"

#include <optional>

#include "agentrun/path.hpp"
#include "refusal.hpp"

namespace agentrun::landlock {
namespace {

/// From the spawned process by the guard to the command.
constexpr unsigned levels = 2;

std::optional<Error> conflict(const Policy& policy) {
  for (const HiddenPath& hidden : policy.hidden()) {
    for (const auto& writable : policy.writable()) {
      if (contains(writable, hidden.path)) return hidden_inside_writable(hidden.path, writable);
    }
    for (const StateDirectory& state : policy.states()) {
      for (const std::string& entry : state.writable_entries) {
        const auto path = state.directory / entry;
        if (contains(path, hidden.path)) return hidden_inside_writable(hidden.path, path);
      }
    }
  }
  return std::nullopt;
}

void append(std::vector<std::string>& argv, std::initializer_list<std::string> more) { argv.insert(argv.end(), more); }

void append_network(std::vector<std::string>& argv, const NetworkAccess& network) {
  switch (network.kind) {
    case NetworkAccess::Kind::open:
      return append(argv, {"--open"});
    case NetworkAccess::Kind::cut:
      return append(argv, {"--cut"});
    case NetworkAccess::Kind::proxied:
      return append(argv, {"--port", port_text(network)});
  }
}

}  // namespace

Result<SandboxPlan> wrap(const PlanRequest& request, const Findings& findings) {
  const Policy& policy = request.policy;
  if (request.network.kind != NetworkAccess::Kind::open && !findings.reach.supervised) {
    return tl::unexpected(network_not_limited());
  }
  if (policy.private_tmp()) return tl::unexpected(no_private_tmp());
  if (auto refusal = conflict(policy)) return tl::unexpected(std::move(*refusal));

  SandboxPlan plan;
  plan.depth = levels;
  plan.argv = {findings.helper.native(), "--abi", std::to_string(findings.reach.abi)};
  append_network(plan.argv, request.network);
  for (const auto& path : policy.writable()) append(plan.argv, {"--write", path.native()});
  for (const auto& socket : policy.unix_sockets()) append(plan.argv, {"--socket", socket.native()});
  for (const StateDirectory& state : policy.states()) {
    append(plan.argv, {"--state", state.directory.native()});
    for (const std::string& entry : state.writable_entries) append(plan.argv, {"--entry", entry});
  }
  for (const HiddenPath& hidden : policy.hidden()) append(plan.argv, {"--hide", hidden.path.native()});
  append(plan.argv, {"--cwd", policy.cwd().native(), "--"});
  plan.command_at = plan.argv.size();
  plan.argv.insert(plan.argv.end(), request.command.begin(), request.command.end());
  return plan;
}

}  // namespace agentrun::landlock
