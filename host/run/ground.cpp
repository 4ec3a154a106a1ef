#include "run/ground.hpp"

#include <system_error>

#include "agentrun/deny_read.hpp"
#include "run/hidden_sockets.hpp"
#include "session/unix_sockets.hpp"

namespace agentrun::host {
namespace {

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

/// A runtime that confines itself has means of its own against them.
void hide_sockets(const SessionOptions& options, const SandboxChoice& sandbox, const SessionSpace& space,
                  const Surroundings& surroundings, const std::filesystem::path& cwd, const Caller& caller,
                  PolicyBuilder& builder) {
  if (!sandbox.running() || surroundings.confines_itself) return;
  std::vector<std::filesystem::path> allowed;
  for (const auto& path : options.allow_unix_sockets) {
    allowed.push_back(absolute_from(caller.cwd, path));
    builder.unix_socket(allowed.back());
  }
  std::vector<std::filesystem::path> required{space.parent()};
  for (const RequiredDirectory& directory : surroundings.needs.required) required.push_back(directory.path);
  for (const StateDirectory& state : surroundings.needs.states) required.push_back(state.directory);
  const SocketPlaces places{listening_unix_sockets(), socket_directories()};
  for (auto& path : sockets_to_hide(places, {cwd, space.path()}, allowed, required)) builder.hide(std::move(path));
}

Result<void> check_sockets(const SessionOptions& options, const Caller& caller) {
  for (const auto& path : options.allow_unix_sockets) {
    std::error_code error;
    if (std::filesystem::is_socket(absolute_from(caller.cwd, path), error)) continue;
    return failure(ErrorCode::usage, "--allow-unix-socket " + path.string() + ": there is no unix socket",
                   "Start the service first, or leave the option out");
  }
  return {};
}

void add_note(std::optional<std::string>& note, const std::string& text) { note = note ? *note + "; " + text : text; }

Result<Policy> build_policy(const Setting& setting, const SessionOptions& options, const SandboxChoice& sandbox,
                            const SessionSpace& space, const Surroundings& surroundings, const Caller& caller,
                            NetworkPolicy network) {
  PolicyBuilder builder(setting.cwd);
  builder.private_tmp(options.private_tmp);
  builder.writable(space.path()).network(std::move(network)).require("temporary directory", space.parent());
  for (const RequiredDirectory& directory : surroundings.needs.required)
    builder.require(directory.name, directory.path);
  for (const StateDirectory& state : surroundings.needs.states) builder.state(state);
  if (options.default_deny_read) {
    const Environment environment = before_removal(setting.environment);
    for (auto& path : default_denied_reads(environment, setting.cwd, surroundings.login_reader)) {
      builder.deny_read_default(std::move(path));
    }
  }
  for (const std::string& value : options.deny_read) builder.deny_read(value, caller.cwd);
  for (const auto& path : surroundings.needs.hide) builder.hide(path);
  hide_sockets(options, sandbox, space, surroundings, setting.cwd, caller, builder);
  return builder.build();
}

/// Whether the proxy is needed, and for whom.
NetworkAccess::Kind access_kind(const Surroundings& surroundings, const NetworkPolicy& policy) {
  using Kind = NetworkAccess::Kind;
  if (surroundings.confines_itself && surroundings.needs.proxy == ProxyUse::none) {
    return policy.mode() == NetworkMode::none ? Kind::cut : Kind::open;
  }
  return policy.allows_nothing() ? Kind::cut : Kind::proxied;
}

Result<void> start_proxy(const SessionOptions& options, const Environment& caller, const NetworkPolicy& policy,
                         NetworkFeed& feed, Ground& ground) {
  proxy::UpstreamReading upstream = proxy::read_upstream(caller);
  proxy::Options settings;
  settings.unix_socket = ground.access.proxy_socket;
  settings.upstream = std::move(upstream.upstream);
  settings.check_sni = options.check_sni;
  settings.on_note = [&feed](std::string text) { feed.push(NoteEvent{std::move(text)}); };
  auto proxy =
      proxy::Proxy::start(policy, std::move(settings), [&feed](const NetworkEvent& event) { feed.push(event); });
  if (!proxy) return tl::unexpected(proxy.error());
  ground.access.port = (*proxy)->port();
  ground.proxy = std::move(*proxy);
  ground.upstream_notes = std::move(upstream.notes);
  return {};
}

Result<void> open_network(const Setting& setting, const SessionOptions& options, const SandboxChoice& sandbox,
                          const SessionSpace& space, const Surroundings& surroundings, const Environment& caller,
                          const NetworkPolicy& policy, NetworkFeed& feed, Ground& ground) {
  ground.access.kind = NetworkAccess::Kind::open;
  if (!sandbox.running()) return {};
  if (!sandbox.traits.limits_network) {
    const std::string reason = "the backend " + sandbox.name + " cannot limit the network";
    if (setting.mode == SandboxMode::on) {
      return failure(ErrorCode::unavailable, reason,
                     "Use --sandbox relax to run with an open network, or a backend "
                     "that can (agentrun plugins lists them)");
    }
    ground.note = reason + ": it is open";
    return {};
  }
  ground.network_enforced = true;
  ground.access.kind = access_kind(surroundings, policy);
  if (ground.access.kind != NetworkAccess::Kind::proxied) return {};
  if (sandbox.readiness.by_socket) ground.access.proxy_socket = space.path() / "proxy.sock";
  if (!space.exists()) return {};
  return start_proxy(options, caller, policy, feed, ground);
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

}  // namespace

Result<Ground> prepare_ground(const Setting& setting, const SessionOptions& options, const SandboxChoice& sandbox,
                              const SessionSpace& space, const Surroundings& surroundings, const Job& job,
                              NetworkFeed& feed) {
  if (auto checked = check_sockets(options, job.caller); !checked) return tl::unexpected(checked.error());
  auto rules = network_policy(setting, options, surroundings.needs.services);
  if (!rules) return tl::unexpected(rules.error());
  auto policy = build_policy(setting, options, sandbox, space, surroundings, job.caller, *rules);
  if (!policy) return tl::unexpected(policy.error());
  if (sandbox.running()) {
    if (auto safe = keep_own_files(*policy, job); !safe) return tl::unexpected(safe.error());
  }
  Ground ground{std::move(*policy), {}, {}, false, {}, {}};
  auto opened =
      open_network(setting, options, sandbox, space, surroundings, job.caller.environment, *rules, feed, ground);
  if (!opened) return tl::unexpected(opened.error());
  for (const auto& path : options.allow_unix_sockets) {
    if (!sandbox.running() || !hands_over_the_host(real_path(absolute_from(job.caller.cwd, path)))) continue;
    add_note(ground.note,
             "--allow-unix-socket " + path.string() + " lets the agent have programs run outside the sandbox");
  }
  return ground;
}

}  // namespace agentrun::host
