#include "check.hpp"

#include "agentrun/text.hpp"
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

Tool described(CheckServices& services, std::string name, const std::filesystem::path& path, const char* option,
               bool with_version) {
  Tool tool{std::move(name), path, {}};
  if (!with_version) return tool;
  const std::string output = services.run({path.native(), option}).output;
  if (tool.name == "socat") {
    tool.version = socat_version(output);
  } else if (const auto version = parse_bwrap_version(output)) {
    tool.version = to_string(*version);
  }
  return tool;
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

std::vector<std::string> check_command(const std::filesystem::path& bwrap, const Namespaces& namespaces,
                                       const HostFacts& host) {
  std::vector<std::string> argv{bwrap.native()};
  for (auto& argument : base_mounts(host)) argv.push_back(std::move(argument));
  for (auto& argument : namespace_arguments(namespaces, Loopback::own, host.root)) argv.push_back(std::move(argument));
  argv.emplace_back("--");
  argv.emplace_back("/bin/true");
  return argv;
}

std::optional<std::filesystem::path> find_door(const std::filesystem::path& plugin_directory) {
  if (plugin_directory.empty()) return std::nullopt;
  std::filesystem::path door = plugin_directory.parent_path() / "agentrun-bwrap-door";
  std::error_code error;
  const auto status = std::filesystem::status(door, error);
  const auto executable = std::filesystem::perms::owner_exec;
  if (!std::filesystem::is_regular_file(status) || (status.permissions() & executable) != executable) return {};
  return door;
}

Result<Checked> check(CheckServices& services, const CheckRequest& request, const Kernel& kernel) {
  if (is_wsl1(kernel.release)) return tl::unexpected(wsl1());
  const auto bwrap = services.find_tool("bwrap");
  if (!bwrap) return tl::unexpected(bwrap_missing());
  const auto door = find_door(request.plugin_directory);
  std::optional<std::filesystem::path> socat;
  if (request.proxied && (!door || request.by_runtime)) {
    socat = services.find_tool("socat");
    if (!socat) return tl::unexpected(socat_missing());
  }

  const HostFacts host{services.root(), kernel.binfmt_misc};
  Readiness readiness;
  readiness.by_socket = socat.has_value();
  if (request.by_start && door) {
    readiness.by_start = true;
    return Checked{{*bwrap, socat, door, namespace_attempts(host.root).front(), host}, std::move(readiness)};
  }
  CheckRun last;
  for (const Namespaces& namespaces : namespace_attempts(host.root)) {
    last = services.run(check_command(*bwrap, namespaces, host));
    readiness.steps.push_back(step(step_name(namespaces), last));
    if (last.exit_code == 0) {
      readiness.enforcement.missing = missing(namespaces);
      readiness.tools.push_back(described(services, "bwrap", *bwrap, "--version", request.with_versions));
      if (socat) readiness.tools.push_back(described(services, "socat", *socat, "-V", request.with_versions));
      return Checked{{*bwrap, socat, door, namespaces, host}, std::move(readiness)};
    }
    if (last.timed_out) break;  // the time of the whole check is used up
  }
  return tl::unexpected(reason(services, *bwrap, last));
}

}  // namespace agentrun::bwrap
