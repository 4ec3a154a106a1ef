#include "codex_backend.hpp"

#include <iterator>
#include <utility>

#include "own_sandbox.hpp"
#include "profile.hpp"

namespace agentrun::codex {

namespace {

Error codex_missing() {
  return {ErrorCode::unavailable, "codex not found in PATH",
          "Install it: npm install -g @openai/codex, or use another --backend"};
}

Tool codex_tool(CheckServices& services, const std::filesystem::path& codex, const CheckRequest& request) {
  Tool tool{"codex", codex, {}};
  if (!request.with_versions) return tool;
  // "codex-cli 0.171.0"
  std::string output = services.run({codex.native(), "--version"}).output;
  output.erase(0, output.rfind(' ') + 1);  // npos + 1 is 0
  tool.version = output.substr(0, output.find_first_of("\r\n"));
  return tool;
}

}  // namespace

BackendTraits CodexBackend::traits() const {
  return {.kind = "codex",
          .confines = true,
          .limits_network = true,
          .denied_text = own_sandbox_denied_text(),
          .only_for = {"codex", "exec"}};
}

Result<Readiness> CodexBackend::check(CheckServices& services, const CheckRequest& request) {
  codex_.reset();
  auto readiness = check_own_sandbox(services, request);
  if (!readiness) return readiness;
  auto codex = services.find_tool("codex");
  if (!codex) return tl::unexpected(codex_missing());
  readiness->tools.push_back(codex_tool(services, *codex, request));
  codex_ = std::move(codex);
  return readiness;
}

Result<std::vector<std::string>> CodexBackend::own_arguments(const PlanRequest& request) const {
  return profile_arguments(request.policy, request.network.kind);
}

Result<SandboxPlan> CodexBackend::plan(const PlanRequest& request) const {
  if (!codex_) {
    return failure(ErrorCode::unavailable, "the codex backend was not checked", "Check the backend before planning");
  }
  auto profile = profile_arguments(request.policy, request.network.kind);
  if (!profile) return tl::unexpected(std::move(profile.error()));
  SandboxPlan plan;
  plan.argv = {codex_->native(), "sandbox", "-P", profile_name, "-C", request.policy.cwd().native()};
  std::move(profile->begin(), profile->end(), std::back_inserter(plan.argv));
  plan.argv.emplace_back("--");
  plan.command_at = plan.argv.size();
  plan.argv.insert(plan.argv.end(), request.command.begin(), request.command.end());
  plan.depth = own_sandbox_depth(request.network.kind);
  return plan;
}

StartFailureRule CodexBackend::start_failure() const { return own_sandbox_start_failure(); }

}  // namespace agentrun::codex
