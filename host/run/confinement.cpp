#include "run/confinement.hpp"

#include "agentrun/deny_read.hpp"

namespace agentrun::host {
namespace {

/// Only for texts: facts show it as <tempdir>.
constexpr const char* imagined_name = "agentrun-<random>";

Result<NetworkPolicy> network_policy(const Setting& setting, const SessionOptions& options,
                                     const ServiceHosts& services) {
  const bool limited = setting.mode != SandboxMode::off;
  if (limited && options.network == NetworkMode::none && services.unknown) return tl::unexpected(*services.unknown);
  return NetworkPolicy::make(options.network, options.allow_hosts, services.hosts);
}

/// The default list follows the values that the runtimes themselves would see; a home that agentrun took away from
/// the environment still holds the user's keys.
Environment before_removal(const SessionEnvironment& environment) {
  Environment original = environment.environment;
  for (const auto& [name, value] : environment.removed_values) {
    if (!original.get(name)) original.set(name, value);
  }
  return original;
}

Result<Policy> build_policy(const Setting& setting, const SessionOptions& options, const SessionSpace& space,
                            const Workload& workload, const Caller& caller, NetworkPolicy network) {
  PolicyBuilder builder(setting.cwd);
  builder.writable(space.path()).network(std::move(network)).require("temporary directory", space.parent());
  for (const RequiredDirectory& directory : workload.required) builder.require(directory.name, directory.path);
  if (workload.state) builder.state(*workload.state);
  if (options.default_deny_read) {
    const Environment environment = before_removal(setting.environment);
    for (auto& path : default_denied_reads(environment, setting.cwd, workload.login_reader)) {
      builder.deny_read_default(std::move(path));
    }
  }
  for (const std::string& value : options.deny_read) builder.deny_read(value, caller.cwd);
  for (const auto& path : workload.hide) builder.hide(path);
  return builder.build();
}

struct Network {
  NetworkAccess access;
  bool enforced = false;
  std::optional<std::string> note;
  std::unique_ptr<proxy::Proxy> proxy;
};

Result<Network> open_network(const Setting& setting, const SandboxChoice& sandbox, const SessionSpace& space,
                             const NetworkPolicy& policy, NetworkFeed& feed) {
  Network network;
  network.access.kind = NetworkAccess::Kind::open;
  if (!sandbox.running()) return network;
  if (!sandbox.traits.limits_network) {
    const std::string reason = "the backend " + sandbox.name + " cannot limit the network";
    if (setting.mode == SandboxMode::on) {
      return failure(ErrorCode::unavailable, reason,
                     "Use --sandbox relax to run with an open network, or a backend "
                     "that can (agentrun plugins lists them)");
    }
    network.note = reason + ": it is open";
    return network;
  }
  network.enforced = true;
  network.access.kind = policy.allows_nothing() ? NetworkAccess::Kind::cut : NetworkAccess::Kind::proxied;
  if (network.access.kind == NetworkAccess::Kind::cut) return network;
  network.access.proxy_socket = space.path() / "proxy.sock";
  if (!space.exists()) return network;
  proxy::Options options;
  options.unix_socket = network.access.proxy_socket;
  auto proxy =
      proxy::Proxy::start(policy, std::move(options), [&feed](const NetworkEvent& event) { feed.push(event); });
  if (!proxy) return tl::unexpected(proxy.error());
  network.access.port = (*proxy)->port();
  network.proxy = std::move(*proxy);
  return network;
}

/// An agent that can write where agentrun looks for plugins, or agentrun itself, plants code that runs outside the
/// sandbox next time. A directory that does not exist yet counts: the agent would make it. A read-only mount would not
/// do, since a parent of it can be renamed away.
Result<void> keep_own_files(const Policy& policy, const Job& job) {
  std::vector<std::filesystem::path> own = job.plugins.directories();
  own.push_back(job.caller.executable);
  for (const auto& writable : policy.writable()) {
    for (const auto& path : own) {
      if (!contains(writable, path)) continue;
      return failure(
          ErrorCode::untrusted,
          "the agent could write " + path.string() + ", where agentrun itself or its plugins are loaded from",
          "Use a --cwd that does not contain it");
    }
  }
  return {};
}

Result<void> write_planned(const std::vector<PlannedFile>& files) {
  for (const PlannedFile& file : files) {
    if (auto written = write_file(file.path, file.content, file.mode); !written) return written;
  }
  return {};
}

}  // namespace

Result<SessionSpace> SessionSpace::make(const SessionOptions& options, const Caller& caller) {
  SessionSpace space;
  if (options.dry_run) {
    space.parent_ = SessionDirectory::parent_for(caller.environment);
    space.path_ = space.parent_ / imagined_name;
    return space;
  }
  auto directory = SessionDirectory::create(caller.environment);
  if (!directory) return tl::unexpected(directory.error());
  space.parent_ = directory->parent();
  space.path_ = directory->path();
  space.directory_ = std::move(*directory);
  if (options.debug) {
    if (auto kept = space.directory_->keep(); !kept) return tl::unexpected(kept.error());
  }
  return space;
}

Result<void> SessionSpace::remove() { return directory_ ? directory_->remove() : Result<void>(); }

Result<Confinement> confine(const Setting& setting, const SessionOptions& options, const SandboxChoice& sandbox,
                            const SessionSpace& space, const Workload& workload, const Job& job, NetworkFeed& feed) {
  auto rules = network_policy(setting, options, workload.services);
  if (!rules) return tl::unexpected(rules.error());
  auto policy = build_policy(setting, options, space, workload, job.caller, *rules);
  if (!policy) return tl::unexpected(policy.error());
  if (sandbox.running()) {
    if (auto safe = keep_own_files(*policy, job); !safe) return tl::unexpected(safe.error());
  }
  auto network = open_network(setting, sandbox, space, *rules, feed);
  if (!network) return tl::unexpected(network.error());
  auto plan = sandbox.backend->plan({*policy, network->access, space.path(), workload.command});
  if (!plan) return tl::unexpected(plan.error());
  if (space.exists()) {
    if (auto written = write_planned(plan->files); !written) return tl::unexpected(written.error());
  }

  SessionEnvironment environment = setting.environment;
  LastVariables last;
  last.path = setting.search.text();
  last.session_directory = space.path();
  last.runtime = workload.variables;
  last.sandboxed = sandbox.running();
  if (network->access.kind == NetworkAccess::Kind::proxied) last.proxy_port = network->access.port;
  apply_last(environment, last);
  // Programs that trust PWD would otherwise look at the caller's directory.
  environment.environment.set("PWD", setting.cwd.native());

  return Confinement{std::move(*policy),
                     std::move(network->proxy),
                     network->access,
                     network->enforced,
                     std::move(network->note),
                     std::move(*plan),
                     std::move(environment.environment)};
}

}  // namespace agentrun::host
