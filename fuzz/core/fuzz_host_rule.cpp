#include "agentrun/host_name.hpp"
#include "agentrun/host_rule.hpp"
#include "agentrun/network_policy.hpp"
#include "agentrun/text.hpp"
#include "targets.hpp"

namespace agentrun::fuzz {

void fuzz_host_rule(std::string_view input) {
  const auto rule = parse_host_rule(input);
  if (!rule) {
    require(rule.error().code == ErrorCode::usage, "a bad rule is a usage error");
    require(!rule.error().message.empty() && !rule.error().hint.empty(), "a refusal has cause and remedy");
    require(describe(rule.error()).find_first_of("\n\r\x1b") == std::string::npos, "a refusal is one line");
    require(is_utf8(rule.error().message), "a refusal is UTF-8");
    return;
  }
  const auto again = parse_host_rule(to_string(*rule));
  require(again.has_value() && *again == *rule, "a rule is read as it is written");
  const auto host = parse_host(rule->host);
  require(host && host->text == rule->host && host->form != HostForm::ipv6, "a rule's host is in its judged form");

  const auto policy = NetworkPolicy::make(NetworkMode::custom, {*rule}, {});
  require(policy.has_value(), "a policy takes every rule");
  const std::string name = rule->wildcard ? "x." + rule->host : rule->host;
  const Ruling expected = rule->wildcard ? Ruling::allowed_if_public : Ruling::allowed;
  require(policy->judge(name, host->form, rule->port.value_or(443)) == expected, "a rule allows what it names");
}

}  // namespace agentrun::fuzz
