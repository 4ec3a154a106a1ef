#include <algorithm>
#include <string>

#include "agentrun/host_name.hpp"
#include "agentrun/ipv4.hpp"
#include "agentrun/network_policy.hpp"
#include "targets.hpp"

namespace agentrun::fuzz {
namespace {

void check_host(const HostName& host) {
  const std::string_view bytes =
      host.form == HostForm::ipv6 ? "abcdef0123456789:.[]" : "abcdefghijklmnopqrstuvwxyz0123456789-_.";
  require(!host.text.empty(), "a host has bytes");
  require(host.text.find_first_not_of(bytes) == std::string::npos, "a host has no odd byte");
  require(host.form == HostForm::ipv6 || host.text.size() <= 253, "a name has at most 253 bytes");
  require(host.text.back() != '.', "trailing dots are cut");
  require(parse_host(host.text) == host, "the judged form is read as itself");
  require((host.form == HostForm::ipv4) == parse_ipv4(host.text).has_value(), "an address is known as one");
}

void check_decision(const HostName& host) {
  if (host.form == HostForm::ipv6) return;
  const HostRule exact{host.text, false, {}};
  const NetworkPolicy policy = NetworkPolicy::make(NetworkMode::custom, {exact}, {}).value();
  require(policy.judge(host.text, host.form, 443) == Ruling::allowed, "an exact rule allows its host");
  if (host.form == HostForm::ipv4) return;
  const HostRule wildcard{host.text, true, {}};
  const NetworkPolicy below = NetworkPolicy::make(NetworkMode::custom, {wildcard}, {}).value();
  require(below.judge(host.text, host.form, 443) == Ruling::not_allowed, "a wildcard leaves its domain out");
  require(below.judge("a." + host.text, host.form, 443) == Ruling::allowed_if_public, "a wildcard allows subdomains");
}

}  // namespace

void fuzz_url_host(std::string_view input) {
  if (const auto host = parse_host(input)) {
    check_host(*host);
    check_decision(*host);
  }
  if (const auto port = parse_port(input)) require(std::to_string(*port) == input, "a port is in plain digits");
  if (const auto host = url_host(input)) {
    const auto parsed = parse_host(*host);
    require(parsed && parsed->text == *host && parsed->form != HostForm::ipv6, "a URL's host is in its judged form");
    require(url_host("https://" + *host + "/") == *host, "a host stands for itself in a URL");
  }
  if (const auto parsed = parse_ipv4(input)) require(format_ipv4(*parsed) == input, "an address is written as read");
}

}  // namespace agentrun::fuzz
