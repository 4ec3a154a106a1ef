// The filter proxy alone, so that its rates can be measured without a sandbox:
//
//   bench_proxy_serve [--unix PATH] [--threads N] [--check-sni lenient|strict] HOST[:PORT]…
//
// Goes through the proxy of its environment, as agentrun does: started twice, the second is the first one's upstream.
// Prints "port N" when it listens, one line for each network event, and runs until SIGINT or SIGTERM.

#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "agentrun/host_rule.hpp"
#include "agentrun/proxy/proxy.hpp"

namespace {

using agentrun::HostRule;
using agentrun::NetworkEvent;
using agentrun::NetworkPolicy;
using agentrun::proxy::Options;
using agentrun::proxy::Proxy;

struct Arguments {
  Options options;
  std::vector<HostRule> rules;
};

agentrun::Result<Arguments> parse(const std::vector<std::string_view>& words) {
  Arguments arguments;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const bool has_value = i + 1 < words.size();
    if (words[i] == "--unix" && has_value) {
      arguments.options.unix_socket = words[++i];
    } else if (words[i] == "--threads" && has_value) {
      arguments.options.threads = static_cast<unsigned>(std::atoi(std::string(words[++i]).c_str()));
    } else if (words[i] == "--check-sni" && has_value) {
      arguments.options.check_sni = agentrun::parse_sni_check(words[++i]).value_or(agentrun::SniCheck::strict);
    } else {
      auto rule = agentrun::parse_host_rule(words[i]);
      if (!rule) return tl::unexpected(rule.error());
      arguments.rules.push_back(*rule);
    }
  }
  return arguments;
}

/// Two descriptors a tunnel.
void raise_descriptor_limit() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

void print_event(const NetworkEvent& event) {
  std::printf("network %s:%d %s\n", event.host.c_str(), event.port, event.allowed ? "allowed" : "refused");
  std::fflush(stdout);
}

int fail(const agentrun::Error& error) {
  std::fprintf(stderr, "bench_proxy_serve: %s\n", agentrun::describe(error).c_str());
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  auto arguments = parse({argv + 1, argv + argc});
  if (!arguments) return fail(arguments.error());
  auto policy = NetworkPolicy::make(agentrun::NetworkMode::custom, std::move(arguments->rules), {});
  if (!policy) return fail(policy.error());
  raise_descriptor_limit();

  sigset_t ends;
  sigemptyset(&ends);
  sigaddset(&ends, SIGINT);
  sigaddset(&ends, SIGTERM);
  ::pthread_sigmask(SIG_BLOCK, &ends, nullptr);

  arguments->options.upstream = agentrun::proxy::read_upstream(agentrun::Environment::from_block(environ)).upstream;
  const auto proxy = Proxy::start(*policy, std::move(arguments->options), print_event);
  if (!proxy) return fail(proxy.error());
  std::printf("port %d\n", (*proxy)->port());
  std::fflush(stdout);

  int signal = 0;
  ::sigwait(&ends, &signal);
  (*proxy)->stop();
  return 0;
}
