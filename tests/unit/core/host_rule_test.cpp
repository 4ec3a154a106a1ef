#include "agentrun/host_rule.hpp"

#include <set>
#include "repeated.hpp"

namespace agentrun {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

HostRule rule(std::string_view text) { return parse_host_rule(text).value(); }

std::string refusal(std::string_view text) {
  const auto result = parse_host_rule(text);
  if (result) return "(accepted as " + to_string(*result) + ")";
  EXPECT_EQ(result.error().code, ErrorCode::usage);
  EXPECT_FALSE(result.error().hint.empty()) << text;
  return result.error().message;
}

TEST(HostRules, AreANameOrAnAddressWithAnOptionalPort) {
  EXPECT_EQ(rule("example.com"), (HostRule{"example.com", false, std::nullopt}));
  EXPECT_EQ(rule("Example.COM.:8443"), (HostRule{"example.com", false, std::uint16_t{8443}}));
  EXPECT_EQ(rule("10.0.0.1:80"), (HostRule{"10.0.0.1", false, std::uint16_t{80}}));
  EXPECT_EQ(rule("my_host-1"), (HostRule{"my_host-1", false, std::nullopt}));
}

TEST(HostRules, TakeAWildcardAsTheFirstLabel) {
  EXPECT_EQ(rule("*.Example.com."), (HostRule{"example.com", true, std::nullopt}));
  EXPECT_EQ(rule("*.test:1"), (HostRule{"test", true, std::uint16_t{1}}));
}

TEST(HostRules, AreWrittenAsTheUserWouldWriteThem) {
  for (const std::string_view text : {"example.com", "*.example.com:8443", "10.0.0.1:80", "*.test"}) {
    EXPECT_EQ(to_string(rule(text)), text);
  }
}

TEST(HostRules, QuoteTheRefusedValue) {
  for (const std::string_view text : {"*", "a*.com", ":80", "a:0", "a b", "[::1]:80", "127.1", "a..b"}) {
    EXPECT_THAT(refusal(text), HasSubstr("--allow-host '" + std::string(text) + "': "));
  }
  EXPECT_THAT(refusal(""), HasSubstr("--allow-host '': "));
}

TEST(HostRules, HaveASentenceForEachMistake) {
  std::set<std::string> sentences;
  const std::vector<std::string> mistakes = {"*", "a*", "", "a:x", "a b", "::1", "127.1", "a..b", "http://a"};
  for (const std::string& text : mistakes) {
    const std::string message = refusal(text);
    sentences.insert(message.substr(message.find("': ")));
  }
  EXPECT_EQ(sentences.size(), mistakes.size());
}

TEST(HostRules, RefuseAStarAloneAndPointToNetworkFull) {
  for (const std::string_view text : {"*", "*:443", "*.", "*..:80"}) {
    const auto result = parse_host_rule(text);
    ASSERT_FALSE(result) << text;
    EXPECT_THAT(result.error().message, HasSubstr("'*' alone")) << text;
    EXPECT_THAT(describe(result.error()), HasSubstr("--network full")) << text;
  }
}

TEST(HostRules, RefuseAStarElsewhere) {
  for (const std::string_view text :
       {"a.*.com", "*a.com", "a*.com", "**.com", "*.*.com", "example.*", "*.a.*:80", "***"}) {
    EXPECT_THAT(refusal(text), HasSubstr("first label")) << text;
  }
}

TEST(HostRules, RefuseAnEmptyHost) {
  for (const std::string_view text : {"", ":", ":443", ".", "...:80"}) {
    EXPECT_THAT(refusal(text), HasSubstr("host is empty")) << text;
  }
}

TEST(HostRules, RefuseABadPort) {
  for (const std::string_view text :
       {"a:", "a:0", "a:65536", "a:08", "a:+1", "a:-1", "a:x", "host:80:80", "a: 80", "*.a:"}) {
    EXPECT_THAT(refusal(text), HasSubstr("1 to 65535")) << text;
  }
}

TEST(HostRules, RefuseOtherCharacters) {
  for (const std::string_view text :
       {"exa mple.com", "ex%61mple.com", "exämple.com", "a@b", "a,b", " a", "a\\b", "-;"}) {
    EXPECT_THAT(refusal(text), HasSubstr("letters, digits")) << text;
  }
  EXPECT_THAT(refusal(std::string_view("a\0b", 3)), HasSubstr("letters, digits"));
}

TEST(HostRules, RefuseUrls) {
  for (const std::string_view text : {"https://example.com", "example.com/path", "https://example.com:443/"}) {
    EXPECT_THAT(refusal(text), HasSubstr("no '/'")) << text;
  }
}

TEST(HostRules, RefuseIpv6Literals) {
  for (const std::string_view text :
       {"::1", "[::1]", "[::1]:443", "fe80::1%eth0", "2001:DB8::", "[", "::ffff:1.2.3.4"}) {
    EXPECT_THAT(refusal(text), HasSubstr("IPv6")) << text;
  }
}

TEST(HostRules, RefuseNumbersThatAResolverReadsAsAnAddress) {
  for (const std::string_view text : {"127.1", "0x7f.1", "2130706433", "017700000001", "256.1.1.1", "*.0x7f", "*.1"}) {
    EXPECT_THAT(refusal(text), HasSubstr("four plain decimal parts")) << text;
  }
}

TEST(HostRules, RefuseSubdomainsOfAnAddress) { EXPECT_THAT(refusal("*.1.2.3.4"), HasSubstr("no subdomains")); }

TEST(HostRules, RefuseWhatDnsCannotHold) {
  EXPECT_THAT(refusal(testing::repeated(64, 'a') + ".test"), HasSubstr("63 bytes"));
  std::string name;
  for (int label = 0; label < 127; ++label) name += "a.";
  EXPECT_THAT(refusal(name + "bc"), HasSubstr("253 bytes"));
  EXPECT_THAT(refusal(".a"), HasSubstr("label of the host is empty"));
  EXPECT_THAT(refusal("*..a"), HasSubstr("label of the host is empty"));
}

TEST(HostRules, KeepARefusalOnOneShortLine) {
  EXPECT_THAT(refusal("a\nb\x1b[31m"), Not(::testing::ContainsRegex("[\n\x1b]")));
  EXPECT_LT(refusal(std::string(100000, '*')).size(), 1000U);
}

}  // namespace
}  // namespace agentrun
