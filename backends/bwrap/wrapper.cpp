#include "wrapper.hpp"

#include <iterator>

#include "mounts.hpp"
#include "system_call_filter.hpp"

namespace agentrun::bwrap {
namespace {

void append(std::vector<std::string>& argv, std::vector<std::string> more) {
  argv.insert(argv.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

}  // namespace

Result<SandboxPlan> wrap(const PlanRequest& request, const Findings& findings, const StateMounts& state,
                         const NetworkCarrier* carrier) {
  using Kind = NetworkAccess::Kind;
  const Loopback loopback = request.network.kind == Kind::open ? Loopback::shared : Loopback::own;

  SandboxPlan plan;
  plan.depth = depth(findings.namespaces);
  plan.argv.push_back(findings.bwrap.native());
  append(plan.argv, base_mounts(findings.host));
  append(plan.argv, policy_mounts(request.policy, state));
  append(plan.argv, namespace_arguments(findings.namespaces, loopback, findings.host.root));
  if (findings.door) plan.gate = Gate{};
  if (const std::string_view filter = system_call_filter(loopback); !filter.empty()) {
    const int number = plan.gate ? Gate::standard_error + 1 : Gate::channel;
    append(plan.argv, {"--seccomp", std::to_string(number)});
    plan.inputs.push_back({number, std::string(filter)});
  }
  append(plan.argv, {"--chdir", request.policy.cwd().native(), "--"});
  if (findings.door || request.network.kind == Kind::proxied) {
    if (carrier == nullptr) {
      return failure(ErrorCode::unavailable, "the sandbox was checked for a run without the proxy",
                     "Check the backend with the proxy first");
    }
    auto before = carrier->before_command(request.network);
    if (!before) return tl::unexpected(std::move(before.error()));
    append(plan.argv, std::move(*before));
  }
  plan.command_at = plan.argv.size();
  append(plan.argv, request.command);
  return plan;
}

}  // namespace agentrun::bwrap
