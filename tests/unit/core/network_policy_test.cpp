#include "agentrun/network_policy.hpp"

#include "host_table.hpp"
#include "repeated.hpp"

namespace agentrun {
namespace {

using ::testing::HasSubstr;

NetworkPolicy policy(NetworkMode mode, const std::vector<std::string>& rules = {},
                     std::vector<std::string> service_hosts = {}) {
  std::vector<HostRule> parsed;
  for (const std::string& rule : rules) parsed.push_back(parse_host_rule(rule).value());
  return NetworkPolicy::make(mode, std::move(parsed), std::move(service_hosts)).value();
}

NetworkPolicy custom(const std::vector<std::string>& rules, std::vector<std::string> service_hosts = {}) {
  return policy(NetworkMode::custom, rules, std::move(service_hosts));
}

Ruling judge(const NetworkPolicy& policy, std::string_view raw, std::uint16_t port = 443) {
  const HostName host = parse_host(raw).value();
  return policy.judge(host.text, host.form, port);
}

std::vector<std::uint16_t> ports(std::initializer_list<std::uint16_t> list) { return list; }

TEST(NetworkPolicy, AllowsNothingByDefault) {
  EXPECT_TRUE(NetworkPolicy().allows_nothing());
  EXPECT_EQ(NetworkPolicy().mode(), NetworkMode::none);
  EXPECT_EQ(judge(NetworkPolicy(), "example.com"), Ruling::not_allowed);
}

TEST(NetworkPolicy, KnowsWhenItCanAllowSomething) {
  EXPECT_TRUE(policy(NetworkMode::none).allows_nothing());
  EXPECT_FALSE(policy(NetworkMode::none, {}, {"api.test"}).allows_nothing());
  EXPECT_FALSE(policy(NetworkMode::full).allows_nothing());
  EXPECT_FALSE(custom({"a.test"}).allows_nothing());
}

TEST(NetworkPolicy, AllowsAnExactHostOn443And80) {
  const NetworkPolicy rules = custom({"example.com"});
  EXPECT_EQ(judge(rules, "example.com", 443), Ruling::allowed);
  EXPECT_EQ(judge(rules, "example.com", 80), Ruling::allowed);
  EXPECT_EQ(judge(rules, "example.com", 8080), Ruling::not_allowed);
  EXPECT_EQ(judge(rules, "www.example.com"), Ruling::not_allowed);
  EXPECT_EQ(judge(rules, "com"), Ruling::not_allowed);
  EXPECT_EQ(judge(rules, "notexample.com"), Ruling::not_allowed);
}

TEST(NetworkPolicy, LimitsARuleWithAPortToIt) {
  const NetworkPolicy rules = custom({"a.test:8443", "b.test:443", "c.test:80"});
  EXPECT_EQ(judge(rules, "a.test", 8443), Ruling::allowed);
  EXPECT_EQ(judge(rules, "a.test", 443), Ruling::not_allowed);
  EXPECT_EQ(judge(rules, "b.test", 443), Ruling::allowed);
  EXPECT_EQ(judge(rules, "b.test", 80), Ruling::not_allowed);
  EXPECT_EQ(judge(rules, "c.test", 80), Ruling::allowed);
  EXPECT_EQ(judge(rules, "c.test", 443), Ruling::not_allowed);
}

TEST(NetworkPolicy, AddsUpRulesForOneHost) {
  const NetworkPolicy rules = custom({"a.test:9000", "a.test:1", "*.a.test:9000", "a.test", "a.test:9000"});
  for (const std::uint16_t port : ports({1, 80, 443, 9000}))
    EXPECT_EQ(judge(rules, "a.test", port), Ruling::allowed) << port;
  EXPECT_EQ(judge(rules, "a.test", 2), Ruling::not_allowed);
  EXPECT_EQ(judge(rules, "x.a.test", 9000), Ruling::allowed_if_public);
  EXPECT_EQ(judge(rules, "x.a.test", 1), Ruling::not_allowed);
  EXPECT_EQ(judge(rules, "x.a.test", 443), Ruling::not_allowed);
}

TEST(NetworkPolicy, AllowsSubdomainsAtAnyDepthButNotTheDomain) {
  const NetworkPolicy rules = custom({"*.example.com"});
  EXPECT_EQ(judge(rules, "a.example.com"), Ruling::allowed_if_public);
  EXPECT_EQ(judge(rules, "d.c.b.a.example.com"), Ruling::allowed_if_public);
  EXPECT_EQ(judge(rules, "example.com"), Ruling::not_allowed);
  EXPECT_EQ(judge(rules, "badexample.com"), Ruling::not_allowed);
  EXPECT_EQ(judge(rules, "a.example.com.evil.test"), Ruling::not_allowed);
}

TEST(NetworkPolicy, PrefersTheExactRuleSoThatAPrivateAddressPasses) {
  const NetworkPolicy rules = custom({"*.example.com", "intern.example.com"});
  EXPECT_EQ(judge(rules, "intern.example.com"), Ruling::allowed);
  EXPECT_EQ(judge(rules, "other.example.com"), Ruling::allowed_if_public);
}

TEST(NetworkPolicy, FallsBackToTheWildcardOnAPortThatTheExactRuleDoesNotName) {
  const NetworkPolicy rules = custom({"a.example.com:22", "*.example.com"});
  EXPECT_EQ(judge(rules, "a.example.com", 22), Ruling::allowed);
  EXPECT_EQ(judge(rules, "a.example.com", 443), Ruling::allowed_if_public);
}

TEST(NetworkPolicy, TriesEveryWildcardAboveAName) {
  const NetworkPolicy rules = custom({"*.test:1", "*.b.test:2", "*.a.b.test:3"});
  for (const std::uint16_t port : ports({1, 2, 3})) {
    EXPECT_EQ(judge(rules, "x.a.b.test", port), Ruling::allowed_if_public) << port;
  }
  EXPECT_EQ(judge(rules, "a.b.test", 3), Ruling::not_allowed);
}

TEST(NetworkPolicy, AllowsAListedAddressAlthoughItIsPrivate) {
  EXPECT_EQ(judge(custom({"10.0.0.1"}), "10.0.0.1"), Ruling::allowed);
  EXPECT_EQ(judge(custom({"10.0.0.1"}), "10.0.0.2"), Ruling::not_allowed);
  EXPECT_EQ(judge(policy(NetworkMode::full), "10.0.0.1"), Ruling::allowed_if_public);
}

TEST(NetworkPolicy, NeverAllowsAnIpv6Literal) {
  EXPECT_EQ(judge(policy(NetworkMode::full), "[::1]"), Ruling::not_allowed);
  EXPECT_EQ(judge(custom({"*.test"}), "[2001:db8::1]"), Ruling::not_allowed);
}

TEST(NetworkPolicy, AllowsPublicHostsOnAnyPortUnderFull) {
  EXPECT_EQ(judge(policy(NetworkMode::full), "example.com", 1), Ruling::allowed_if_public);
  EXPECT_EQ(judge(policy(NetworkMode::full, {}, {"api.test"}), "other.test", 22), Ruling::allowed_if_public);
}

TEST(NetworkPolicy, AllowsServiceHostsOn443InEveryMode) {
  for (const NetworkPolicy& any :
       {policy(NetworkMode::none, {}, {"api.test", "127.0.0.1"}),
        policy(NetworkMode::full, {}, {"api.test", "127.0.0.1"}), custom({"other.test"}, {"api.test", "127.0.0.1"})}) {
    EXPECT_EQ(judge(any, "api.test", 443), Ruling::allowed);
    EXPECT_EQ(judge(any, "127.0.0.1", 443), Ruling::allowed);
    EXPECT_NE(judge(any, "api.test", 80), Ruling::allowed);
    EXPECT_NE(judge(any, "sub.api.test", 443), Ruling::allowed);
  }
}

TEST(NetworkPolicy, KeepsRulesAndServiceHostsAsTheyWereGiven) {
  const NetworkPolicy rules = custom({"b.test:1", "*.a.test", "b.test:1"}, {"api.test"});
  ASSERT_EQ(rules.rules().size(), 3U);
  EXPECT_EQ(to_string(rules.rules()[0]), "b.test:1");
  EXPECT_EQ(to_string(rules.rules()[1]), "*.a.test");
  EXPECT_EQ(rules.service_hosts(), std::vector<std::string>{"api.test"});
}

TEST(NetworkPolicy, RefusesCustomWithoutARule) {
  const auto made = NetworkPolicy::make(NetworkMode::custom, {}, {"api.test"});
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().code, ErrorCode::usage);
  EXPECT_THAT(made.error().message, HasSubstr("'custom'"));
  EXPECT_THAT(made.error().hint, HasSubstr("--allow-host"));
}

TEST(NetworkPolicy, RefusesARuleWithoutCustom) {
  for (const NetworkMode mode : {NetworkMode::none, NetworkMode::full}) {
    const auto made = NetworkPolicy::make(mode, {HostRule{"a.test", true, std::uint16_t{8}}}, {});
    ASSERT_FALSE(made);
    EXPECT_THAT(made.error().message, HasSubstr("'*.a.test:8'"));
    EXPECT_THAT(made.error().hint, HasSubstr("--network custom"));
  }
}

TEST(NetworkPolicy, RefusesHostsThatAreNotInTheJudgedForm) {
  for (const std::string& host : {std::string("A.test"), std::string("a.test."), std::string("[::1]"),
                                  testing::repeated(300, 'a'), std::string()}) {
    EXPECT_FALSE(NetworkPolicy::make(NetworkMode::none, {}, {host})) << host;
    EXPECT_FALSE(NetworkPolicy::make(NetworkMode::custom, {HostRule{host, false, {}}}, {})) << host;
  }
}

TEST(NetworkPolicy, IsSharedByItsCopies) {
  NetworkPolicy copy;
  {
    const NetworkPolicy original = custom({"a.test"});
    copy = original;
  }
  EXPECT_EQ(judge(copy, "a.test"), Ruling::allowed);
}

TEST(NetworkMode, IsReadAndWritten) {
  for (const std::string_view text : {"none", "full", "custom"}) {
    EXPECT_EQ(to_string(parse_network_mode(text).value()), text);
  }
  for (const std::string_view text : {"", "None", "full ", "all"}) EXPECT_FALSE(parse_network_mode(text)) << text;
}

TEST(SniCheck, IsReadAndWritten) {
  for (const std::string_view text : {"off", "lenient", "strict"})
    EXPECT_EQ(to_string(parse_sni_check(text).value()), text);
  for (const std::string_view text : {"", "Strict", "on", "yes"}) EXPECT_FALSE(parse_sni_check(text)) << text;
}

TEST(DenyReason, HasTheNamesOfTheEvents) {
  EXPECT_EQ(to_string(DenyReason::not_allowed), "not_allowed");
  EXPECT_EQ(to_string(DenyReason::private_address), "private_address");
  EXPECT_EQ(to_string(DenyReason::sni_mismatch), "sni_mismatch");
}

// The hash takes labels in pieces of eight bytes: every length and position of a dot is a case of its own.
TEST(HostTable, FindsDomainsOfEveryShape) {
  for (std::size_t first = 1; first <= 20; ++first) {
    for (std::size_t second = 1; second <= 20; ++second) {
      const std::string domain = testing::repeated(first, 'a') + '.' + testing::repeated(second, 'b');
      const HostTable table({HostRule{domain, true, {}}, HostRule{domain, false, std::uint16_t{8}}});
      EXPECT_EQ(table.find(domain, 8), Grant::exact) << domain;
      EXPECT_EQ(table.find(domain, 443), Grant::none) << domain;
      for (std::size_t front = 1; front <= 18; ++front) {
        EXPECT_EQ(table.find(testing::repeated(front, 'c') + '.' + domain, 443), Grant::wildcard) << front << domain;
        EXPECT_EQ(table.find(testing::repeated(front, 'c') + domain, 443), Grant::none) << front << domain;
      }
    }
  }
}

TEST(HostTable, FindsNamesLongerThanASlot) {
  std::string name = "x";
  while (name.size() + 2 <= 253) {
    name += name.size() % 50 == 49 ? ".y" : "yz";
    const HostTable table({HostRule{name, false, {}}});
    ASSERT_EQ(table.find(name, 443), Grant::exact) << name;
    std::string other = name;
    other.back() = 'q';
    ASSERT_EQ(table.find(other, 443), Grant::none) << name;
  }
}

TEST(HostTable, FindsRulesWithVeryManyLabels) {
  std::string deep = "a";
  while (deep.size() + 2 <= 251) deep += ".a";
  const HostTable table({HostRule{deep, false, {}}, HostRule{deep.substr(2), true, {}}});
  EXPECT_EQ(table.find(deep, 80), Grant::exact);
  EXPECT_EQ(table.find("b." + deep.substr(2), 80), Grant::wildcard);
  EXPECT_EQ(table.find(deep.substr(2), 80), Grant::none);
}

TEST(HostTable, AgreesWithAPlainSearchAndKeepsProbesShort) {
  std::vector<HostRule> rules;
  for (unsigned number = 0; number < 20000; ++number) {
    const std::string host = std::to_string(number * 2654435761U) + "h" + (number % 3 == 0 ? ".a" : ".b.c") + ".test";
    rules.push_back({host, number % 2 == 0, {}});
  }
  const HostTable table(rules);
  EXPECT_LE(table.longest_probe(), 16U);
  for (const HostRule& rule : rules) {
    EXPECT_EQ(table.find(rule.host, 443), rule.wildcard ? Grant::none : Grant::exact) << rule.host;
    EXPECT_EQ(table.find("x." + rule.host, 443), rule.wildcard ? Grant::wildcard : Grant::none) << rule.host;
    EXPECT_EQ(table.find("x" + rule.host, 443), Grant::none) << rule.host;
  }
}

TEST(HostTable, TakesEveryPortOfOneHost) {
  std::vector<HostRule> rules;
  for (unsigned port = 65535; port >= 1; --port) {
    if (port % 3 != 0) rules.push_back({"a.test", port % 2 == 0, static_cast<std::uint16_t>(port)});
  }
  const HostTable table(rules);
  for (unsigned port = 1; port <= 65535; ++port) {
    const bool exact = port % 3 != 0 && port % 2 == 1;
    const bool wildcard = port % 3 != 0 && port % 2 == 0;
    EXPECT_EQ(table.find("a.test", static_cast<std::uint16_t>(port)) == Grant::exact, exact) << port;
    EXPECT_EQ(table.find("b.a.test", static_cast<std::uint16_t>(port)) == Grant::wildcard, wildcard) << port;
  }
}

TEST(HostTable, FindsNothingInAnEmptyOne) { EXPECT_EQ(HostTable().find("a.test", 443), Grant::none); }

}  // namespace
}  // namespace agentrun
