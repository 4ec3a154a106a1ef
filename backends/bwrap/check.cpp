#include "check.hpp"

#include <system_error>
#include <utility>

#include "bubblewrap/refusal.hpp"
#include "bubblewrap/version.hpp"

namespace agentrun::bwrap {
namespace {

Tool socat_tool(CheckServices& services, const std::filesystem::path& socat, const CheckRequest& request) {
  Tool tool{"socat", socat, {}};
  if (request.with_versions) tool.version = socat_version(services.run({socat.native(), "-V"}).output);
  return tool;
}

}  // namespace

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
  const auto bwrap = find_bwrap(services, kernel);
  if (!bwrap) return tl::unexpected(bwrap.error());
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
  auto started = start_once(services, *bwrap, host);
  if (!started) return tl::unexpected(std::move(started.error()));
  readiness.steps = std::move(started->steps);
  readiness.enforcement.missing = missing(started->namespaces);
  readiness.tools.push_back(bwrap_tool(services, *bwrap, request));
  if (socat) readiness.tools.push_back(socat_tool(services, *socat, request));
  return Checked{{*bwrap, socat, door, started->namespaces, host}, std::move(readiness)};
}

}  // namespace agentrun::bwrap
