#include "agentrun/explain.hpp"

#include "agentrun/host/run.hpp"
#include "process/check_runner.hpp"
#include "run/confinement.hpp"

namespace agentrun::host {
namespace {

struct Place {
  HostName host;
  std::uint16_t port = 0;
};

Result<Place> parse_place(const std::string& text) {
  const std::size_t colon = text.rfind(':');
  if (colon != std::string::npos) {
    auto host = parse_host(std::string_view(text).substr(0, colon));
    const auto port = parse_port(std::string_view(text).substr(colon + 1));
    if (host && port) return Place{std::move(*host), *port};
  }
  return failure(ErrorCode::usage, "connect " + text + ": not a HOST:PORT", "For example: connect example.com:443");
}

Explanation ask(const ExplainOptions& options, const Policy& policy, const std::filesystem::path& base,
                const std::optional<Place>& place) {
  if (place) return explain_connect(policy.network(), place->host, place->port);
  const auto path = absolute_from(base, options.object);
  return options.access == Access::read ? explain_read(policy, path) : explain_write(policy, path);
}

/// The sandbox has its own there, by backend.
bool is_the_sandboxes_own(const std::filesystem::path& path) {
  return contains("/proc", path) || contains("/dev", path);
}

}  // namespace

Result<Explanation> explain(const ExplainOptions& options, const Job& job) {
  std::optional<Place> place;
  if (options.access == Access::connect) {
    auto parsed = parse_place(options.object);
    if (!parsed) return tl::unexpected(parsed.error());
    place = std::move(*parsed);
  } else if (is_the_sandboxes_own(absolute_from(job.caller.cwd, options.object))) {
    return failure(ErrorCode::usage, "explain knows nothing of " + options.object,
                   "A sandbox has a /proc and a /dev of its own; try it: agentrun exec -- ls -l " + options.object);
  }

  SessionOptions session = options.session;
  session.dry_run = true;  // nothing is made
  auto setting = make_setting(session, {}, job.caller);
  if (!setting) return tl::unexpected(setting.error());
  auto signals = SignalSource::open();
  if (!signals) return tl::unexpected(signals.error());
  CheckRunner services(setting->search, setting->writable(), setting->environment.environment.to_block(), *signals);
  CheckRequest request;
  request.proxied = session.network != NetworkMode::none;
  request.by_start = true;
  auto sandbox = choose_sandbox(*setting, session, {"exec", {}, false}, job.plugins, services, request);
  if (!sandbox) return tl::unexpected(sandbox.error());
  auto space = SessionSpace::make(session, job.caller);
  if (!space) return tl::unexpected(space.error());
  auto feed = NetworkFeed::make();
  if (!feed) return tl::unexpected(feed.error());
  auto ground = prepare_ground(*setting, session, *sandbox, *space, {}, job, **feed);
  if (!ground) return tl::unexpected(ground.error());

  // What the backend refuses to keep, a run would be refused for.
  Workload workload;
  workload.command = {"/bin/true"};
  auto confinement = confine(*setting, *sandbox, *space, {}, std::move(*ground), workload);
  if (!confinement) return tl::unexpected(confinement.error());

  if (!sandbox->running()) return Explanation{true, "no sandbox runs"};
  if (place && !confinement->ground.network_enforced)
    return Explanation{true, "this sandbox does not limit the network"};
  return ask(options, confinement->ground.policy, job.caller.cwd, place);
}

}  // namespace agentrun::host
