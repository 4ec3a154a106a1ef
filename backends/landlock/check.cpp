#include "check.hpp"

#include <algorithm>
#include <system_error>

#include "refusal.hpp"

namespace agentrun::landlock {
namespace {

bool is_program(const std::filesystem::path& path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  const auto executable = std::filesystem::perms::owner_exec;
  return std::filesystem::is_regular_file(status) && (status.permissions() & executable) == executable;
}

CheckStep step(const Findings& findings, const CheckRun& run) {
  const char* name = findings.reach.supervised ? "start landlock" : "start landlock without judging connections";
  return {name, run.duration, run.exit_code == 0 ? "ok" : cannot_start(run).message};
}

}  // namespace

std::filesystem::path helper_path(const std::filesystem::path& plugin_directory) {
  return plugin_directory.parent_path() / "agentrun-landlock";
}

std::vector<std::string> check_command(const Findings& findings) {
  const std::string helper = findings.helper.native();
  const bool supervised = findings.reach.supervised;
  return {helper, "--abi", std::to_string(findings.reach.abi), supervised ? "--cut" : "--open",
          "--",   helper,  supervised ? "--try" : "--nothing"};
}

Result<Checked> check(CheckServices& services, const CheckRequest& request, const Kernel& kernel) {
  if (kernel.abi < 1) return tl::unexpected(no_landlock(kernel));
  Findings findings;
  findings.helper = helper_path(request.plugin_directory);
  if (!is_program(findings.helper)) return tl::unexpected(helper_missing(findings.helper));
  findings.reach = {std::min(kernel.abi, newest_used_abi), kernel.supervises, services.root()};

  Readiness readiness;
  CheckRun run = services.run(check_command(findings));
  readiness.steps.push_back(step(findings, run));
  if (run.exit_code != 0 && findings.reach.supervised && !run.timed_out) {
    findings.reach.supervised = false;
    run = services.run(check_command(findings));
    readiness.steps.push_back(step(findings, run));
  }
  if (run.exit_code != 0) return tl::unexpected(cannot_start(run));
  readiness.enforcement.missing = missing(findings.reach);
  readiness.tools.push_back({"agentrun-landlock", findings.helper,
                             request.with_versions ? "Landlock ABI " + std::to_string(kernel.abi) : std::string()});
  return Checked{std::move(findings), std::move(readiness)};
}

}  // namespace agentrun::landlock
