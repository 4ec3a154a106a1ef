#include <utility>

#include "bubblewrap/start_check.hpp"
#include "own_sandbox.hpp"

namespace agentrun::codex {

Result<Readiness> check_own_sandbox(CheckServices& services, const CheckRequest& request) {
  const bwrap::Kernel kernel = bwrap::this_kernel();
  // codex has a bwrap of its own for machines without one. agentrun asks for the system's: that one is kept up to date
  // and may be allowed by name in an AppArmor profile.
  const auto bwrap = bwrap::find_bwrap(services, kernel);
  if (!bwrap) return tl::unexpected(bwrap.error());
  auto started = bwrap::start_once(services, *bwrap, {services.root(), kernel.binfmt_misc});
  if (!started) return tl::unexpected(std::move(started.error()));
  Readiness readiness;
  readiness.steps = std::move(started->steps);
  readiness.tools.push_back(bwrap::bwrap_tool(services, *bwrap, request));
  // Measured with 0.171.0: its seccomp filter does not stop them.
  readiness.enforcement.missing = {"can make user namespaces"};
  return readiness;
}

std::string own_sandbox_denied_text() { return "Read-only file system"; }

StartFailureRule own_sandbox_start_failure() { return {.prefix = "bwrap: ", .exit_codes = {1}, .notices = {}}; }

unsigned own_sandbox_depth(NetworkAccess::Kind network) {
  // codex, its starter, bwrap, the first process inside; with a proxy one more starter that carries its port inside.
  return network == NetworkAccess::Kind::proxied ? 5 : 4;
}

}  // namespace agentrun::codex
