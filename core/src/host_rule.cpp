#include "agentrun/host_rule.hpp"

#include <algorithm>

#include "agentrun/host_name.hpp"
#include "agentrun/text.hpp"

namespace agentrun {
namespace {

/// Longer than any good rule; what is pasted by accident need not fill the screen.
constexpr std::size_t max_shown = 300;

tl::unexpected<Error> refuse(std::string_view value, std::string reason, std::string remedy) {
  return failure(ErrorCode::usage, "--allow-host '" + summary_line(value, max_shown) + "': " + std::move(reason),
                 std::move(remedy));
}

bool looks_like_ipv6(std::string_view text) {
  if (text.front() == '[') return true;
  const std::string_view address = text.substr(0, text.find('%'));
  return std::count(address.begin(), address.end(), ':') >= 2 &&
         address.find_first_not_of("0123456789abcdefABCDEF:.") == std::string_view::npos;
}

bool has_foreign_byte(std::string_view host) {
  return host.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.") !=
         std::string_view::npos;
}

/// Why parse_host() refused a host whose bytes are all fine.
Result<HostRule> refuse_shape(std::string_view value, std::string_view host) {
  if (host.size() > 253) {
    return refuse(value, "the host is longer than 253 bytes", "Give a name that DNS can hold");
  }
  std::string_view rest = host;
  while (true) {
    const std::string_view label = rest.substr(0, rest.find('.'));
    if (label.empty()) return refuse(value, "a label of the host is empty", "Remove the dot too many");
    if (label.size() > 63) {
      return refuse(value, "a label of the host is longer than 63 bytes", "Give a name that DNS can hold");
    }
    if (label.size() == rest.size()) break;
    rest.remove_prefix(label.size() + 1);
  }
  return refuse(value, "a host that ends in a number must be an IPv4 address of four plain decimal parts",
                "Write the address as in 192.0.2.1");
}

}  // namespace

Result<HostRule> parse_host_rule(std::string_view text) {
  if (text.empty()) return refuse(text, "the host is empty", "Give a host name, an IPv4 address or *.DOMAIN");
  if (looks_like_ipv6(text)) {
    return refuse(text, "IPv6 addresses are not supported", "Give a host name or an IPv4 address");
  }
  if (text.find('/') != std::string_view::npos) {
    return refuse(text, "a host has no '/'", "Give the host without scheme and path, as in example.com:443");
  }

  const std::size_t colon = text.find(':');
  std::string_view host = text.substr(0, colon);
  host = host.substr(0, host.find_last_not_of('.') + 1);
  if (host.empty()) return refuse(text, "the host is empty", "Give a host name, an IPv4 address or *.DOMAIN");
  if (host == "*") return refuse(text, "'*' alone would allow every host", "Use --network full for that");

  HostRule rule;
  if (host.substr(0, 2) == "*.") {
    rule.wildcard = true;
    host.remove_prefix(2);
  }
  if (host.find('*') != std::string_view::npos) {
    return refuse(text, "a '*' can only be the whole first label", "Write *.example.com for every subdomain");
  }
  if (has_foreign_byte(host)) {
    return refuse(text, "a host has only letters, digits, '-', '_' and '.'",
                  "Write an international name in its xn-- form");
  }
  if (colon != std::string_view::npos) {
    rule.port = parse_port(text.substr(colon + 1));
    if (!rule.port) return refuse(text, "the port is not a number from 1 to 65535", "Write it as in example.com:443");
  }

  auto parsed = parse_host(host);
  if (!parsed) return refuse_shape(text, host);
  if (rule.wildcard && parsed->form == HostForm::ipv4) {
    return refuse(text, "an IPv4 address has no subdomains", "List each address");
  }
  rule.host = std::move(parsed->text);
  return rule;
}

std::string to_string(const HostRule& rule) {
  std::string text = rule.wildcard ? "*." + rule.host : rule.host;
  if (rule.port) text += ':' + std::to_string(*rule.port);
  return text;
}

}  // namespace agentrun
