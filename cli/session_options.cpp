#include "cli/session_options.hpp"

#include <cstdint>

#include "agentrun/network_policy.hpp"
#include "cli/option_values.hpp"

namespace agentrun::cli {

namespace {

/// About 31 years: the host counts in nanoseconds from now on, which must not overflow.
constexpr std::uint64_t longest_timeout_seconds = 1'000'000'000;

}  // namespace

void declare_confinement_options(ArgumentParser& parser, host::SessionOptions& options) {
  parser.group("Sandbox");
  parser.option("--sandbox", "on|relax|off",
                "when the sandbox cannot run: refuse, run without, or\n"
                "never use one (default: AGENTRUN_SANDBOX, else on)",
                store_sandbox_mode(options.sandbox));
  parser.option("--backend", "NAME", "use this backend (default: the first that works here)",
                store_backend(options.backend));
  parser.option("--deny-read", "PATH", "one more path that cannot be read; repeatable", append(options.deny_read));
  parser.flag("--no-default-deny-read",
              "drop the default list of keys, logins and records;\n"
              "only --deny-read counts",
              [&options] { options.default_deny_read = false; });

  parser.group("Network");
  parser.option("--network", "none|full|custom",
                "which hosts can be reached: none, every public one,\n"
                "or those of --allow-host (default: none)",
                store_network_mode(options.network));
  parser.option("--allow-host", "HOST[:PORT]",
                "a host that --network custom lets through: a name, an\n"
                "IPv4 address or *.DOMAIN, without a port 443 and 80;\n"
                "repeatable",
                append_host_rule(options.allow_hosts));

  parser.group("Environment");
  parser.option("--path", "DIR", "put in front of PATH; repeatable", append(options.path));
  parser.option("--env", "KEY[=VALUE]", "set a variable, or keep your own value; repeatable",
                append_variable(options.env));
  parser.option("--env-file", "FILE", "set the variables of a file of KEY=VALUE lines;\nrepeatable, --env wins",
                append(options.env_files));
}

void declare_session_options(ArgumentParser& parser, host::SessionOptions& options) {
  parser.group("Sandbox");
  parser.option("--cwd", "DIR",
                "working directory; with a sandbox, only this and the\n"
                "temporary session directory can be written\n"
                "(default: the current directory)",
                store(options.cwd));
  declare_confinement_options(parser, options);

  parser.group("Sandbox");
  parser.flag("--private-tmp", "an empty /tmp of the sandbox's own", [&options] { options.private_tmp = true; });

  parser.group("Network");
  parser.option("--check-sni", "off|lenient|strict",
                "close tunnels whose TLS client hello names another\n"
                "host; strict: also those that name none (default: off)",
                store_sni_check(options.check_sni));

  parser.option("--allow-unix-socket", "PATH",
                "a unix socket outside that can be connected to (default:\n"
                "none); repeatable",
                append(options.allow_unix_sockets));

  parser.group("Control");
  parser.option("--timeout", "SECONDS", "end it after this time (default: no limit)",
                store_count(options.timeout_seconds, longest_timeout_seconds));
  parser.flag("--debug", "print facts about the run on standard error and keep\nthe session directory",
              [&options] { options.debug = true; });
  parser.flag("--dry-run", "check everything, print what would run, create nothing",
              [&options] { options.dry_run = true; });
}

Result<void> check_session_options(const host::SessionOptions& options) {
  const auto policy = NetworkPolicy::make(options.network, options.allow_hosts, {});
  if (!policy) return tl::unexpected<Error>(policy.error());
  return {};
}

}  // namespace agentrun::cli
