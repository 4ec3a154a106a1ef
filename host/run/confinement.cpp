#include "run/confinement.hpp"

#include <iterator>

namespace agentrun::host {
namespace {

Result<void> write_planned(const std::vector<PlannedFile>& files) {
  for (const PlannedFile& file : files) {
    if (auto written = write_file(file.path, file.content, file.mode); !written) return written;
  }
  return {};
}

/// The process is started as it is, and told about the sandbox that it runs itself.
Result<SandboxPlan> plan_unwrapped(const Backend& backend, const PlanRequest& request, const Workload& workload) {
  auto own = backend.own_arguments(request);
  if (!own) return tl::unexpected(own.error());
  SandboxPlan plan;
  plan.argv = workload.command;
  const auto at = plan.argv.begin() + 1 + static_cast<std::ptrdiff_t>(workload.own_arguments_at);
  plan.argv.insert(at, std::make_move_iterator(own->begin()), std::make_move_iterator(own->end()));
  plan.command_at = own->size();  // so that the arguments behind them stand where they do behind a wrapper
  return plan;
}

Environment complete_environment(const Setting& setting, const SandboxChoice& sandbox, const SessionSpace& space,
                                 const Surroundings& surroundings, const Ground& ground, const Workload& workload) {
  SessionEnvironment environment = setting.environment;
  LastVariables last;
  last.path = setting.search.text();
  last.session_directory = space.path();
  last.runtime = workload.variables;
  last.sandboxed = sandbox.running();
  last.process_confined = !surroundings.confines_itself;
  const bool by_variables = !surroundings.confines_itself || surroundings.needs.proxy == ProxyUse::process;
  if (ground.access.kind == NetworkAccess::Kind::proxied && by_variables) last.proxy_port = ground.access.port;
  apply_last(environment, last);
  // Programs that trust PWD would otherwise look at the caller's directory.
  environment.environment.set("PWD", setting.cwd.native());
  return std::move(environment.environment);
}

}  // namespace

Result<Confinement> confine(const Setting& setting, const SandboxChoice& sandbox, const SessionSpace& space,
                            const Surroundings& surroundings, Ground ground, const Workload& workload) {
  PlanRequest request{ground.policy, ground.access, space.path(), {}};
  const bool unwrapped = surroundings.confines_itself && sandbox.running();
  if (!unwrapped) request.command = workload.command;
  auto plan = unwrapped ? plan_unwrapped(*sandbox.backend, request, workload) : sandbox.backend->plan(request);
  if (!plan) return tl::unexpected(plan.error());
  if (space.exists()) {
    if (auto written = write_planned(plan->files); !written) return tl::unexpected(written.error());
    if (auto written = write_planned(workload.files); !written) return tl::unexpected(written.error());
  }
  Environment environment = complete_environment(setting, sandbox, space, surroundings, ground, workload);
  return Confinement{std::move(ground), std::move(*plan), std::move(environment)};
}

}  // namespace agentrun::host
