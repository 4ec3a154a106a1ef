#include <algorithm>
#include <string>

#include "agentrun/proxy/upstream.hpp"
#include "http_syntax.hpp"
#include "targets.hpp"

namespace agentrun::fuzz {
namespace {

using namespace agentrun::proxy;

void check_server(const UpstreamServer& server) {
  require(server.port != 0, "a server has a port");
  require(server.host.form != HostForm::ipv6, "the proxy speaks IPv4 only");
  const auto again = parse_host(server.host.text);
  require(again && *again == server.host, "a host is in its judged form");
  require(server.authorization.empty() || server.authorization.starts_with("Basic "), "one scheme is spoken");
  require(std::ranges::none_of(server.authorization, is_forbidden_control), "credentials end no header line");
}

std::string_view take_line(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

}  // namespace

/// First line: a proxy's value; second: a host to look for; the rest: no_proxy.
void fuzz_upstream_environment(std::string_view input) {
  const std::string_view url = take_line(input);
  const std::string_view host = take_line(input);
  Environment environment;
  environment.set("https_proxy", url);
  environment.set("no_proxy", input);

  const UpstreamReading reading = read_upstream(environment);
  require(url.empty() || reading.upstream.tunnels.has_value() == reading.notes.empty(), "a server or a note");
  require(!reading.upstream.plain, "https_proxy is not for plain HTTP");
  if (reading.upstream.tunnels) check_server(*reading.upstream.tunnels);
  if (const auto name = parse_host(host)) {
    const bool is_direct = reading.upstream.direct.contains(*name, 443);
    require(!is_direct || !input.empty(), "an empty list holds nothing");
  }
}

}  // namespace agentrun::fuzz
