#include "start_check.hpp"

#include <fstream>
#include <system_error>
#include <utility>

#include "refusal.hpp"
#include "version.hpp"
#include "wsl.hpp"

namespace agentrun::bwrap {
namespace {

std::string step_name(const Namespaces& namespaces) {
  std::string name = "start bwrap";
  const char* glue = " without ";
  if (namespaces.users != Users::locked) {
    name += glue;
    name += namespaces.users == Users::own ? "--disable-userns" : "--unshare-user";
    glue = " and ";
  }
  if (!namespaces.processes) {
    name += glue;
    name += "--unshare-pid";
  }
  return name;
}

CheckStep step(std::string name, const CheckRun& run) {
  const bool ok = run.exit_code == 0;
  return {std::move(name), run.duration, ok ? "ok" : bwrap_cannot_start(run).message};
}

/// The reason of a failed check: an old bwrap does not know an option and says only that.
Error reason(CheckServices& services, const std::filesystem::path& bwrap, const CheckRun& last) {
  if (!last.timed_out) {
    const auto version = parse_bwrap_version(services.run({bwrap.native(), "--version"}).output);
    if (version && *version < oldest_bwrap) return bwrap_too_old(*version);
  }
  return bwrap_cannot_start(last);
}

}  // namespace

Kernel this_kernel() {
  Kernel kernel;
  std::ifstream release("/proc/sys/kernel/osrelease");
  std::getline(release, kernel.release);
  // Does not mount it where it is mounted on the first look: stat is no look.
  std::error_code error;
  kernel.binfmt_misc = std::filesystem::is_directory("/proc/sys/fs/binfmt_misc", error);
  return kernel;
}

Result<std::filesystem::path> find_bwrap(CheckServices& services, const Kernel& kernel) {
  if (is_wsl1(kernel.release)) return tl::unexpected(wsl1());
  auto bwrap = services.find_tool("bwrap");
  if (!bwrap) return tl::unexpected(bwrap_missing());
  return std::move(*bwrap);
}

std::vector<std::string> check_command(const std::filesystem::path& bwrap, const Namespaces& namespaces,
                                       const HostFacts& host) {
  std::vector<std::string> argv{bwrap.native()};
  for (auto& argument : base_mounts(host)) argv.push_back(std::move(argument));
  for (auto& argument : namespace_arguments(namespaces, Loopback::own, host.root)) argv.push_back(std::move(argument));
  argv.emplace_back("--");
  argv.emplace_back("/bin/true");
  return argv;
}

Result<Started> start_once(CheckServices& services, const std::filesystem::path& bwrap, const HostFacts& host) {
  Started started;
  CheckRun last;
  for (const Namespaces& namespaces : namespace_attempts(host.root)) {
    last = services.run(check_command(bwrap, namespaces, host));
    started.steps.push_back(step(step_name(namespaces), last));
    if (last.exit_code == 0) {
      started.namespaces = namespaces;
      return started;
    }
    if (last.timed_out) break;  // the time of the whole check is used up
  }
  return tl::unexpected(reason(services, bwrap, last));
}

Tool bwrap_tool(CheckServices& services, const std::filesystem::path& bwrap, const CheckRequest& request) {
  Tool tool{"bwrap", bwrap, {}};
  if (!request.with_versions) return tool;
  if (const auto version = parse_bwrap_version(services.run({bwrap.native(), "--version"}).output)) {
    tool.version = to_string(*version);
  }
  return tool;
}

}  // namespace agentrun::bwrap
