#include "agentrun/host_name.hpp"
#include "repeated.hpp"

namespace agentrun {
namespace {

std::string text_of(std::string_view raw) {
  const auto host = parse_host(raw);
  return host ? host->text : "(malformed)";
}

HostForm form_of(std::string_view raw) { return parse_host(raw).value().form; }

/// `bytes` long, of labels with 63 bytes.
std::string long_name(std::size_t bytes) {
  std::string name = testing::repeated(bytes, 'a');
  for (std::size_t at = 63; at < bytes; at += 64) name[at] = '.';
  return name;
}

TEST(HostName, IsJudgedInLowerCaseWithoutTrailingDots) {
  EXPECT_EQ(text_of("Example.COM"), "example.com");
  EXPECT_EQ(text_of("example.com."), "example.com");
  EXPECT_EQ(text_of("example.com..."), "example.com");
  EXPECT_EQ(text_of("localhost"), "localhost");
  EXPECT_EQ(text_of("a_b.-c-.x--y.test"), "a_b.-c-.x--y.test");
  EXPECT_EQ(form_of("Example.COM."), HostForm::name);
}

TEST(HostName, RefusesEmptyNamesAndLabels) {
  for (const std::string_view raw : {"", ".", "...", ".example.com", "a..b", "a...b."}) {
    EXPECT_FALSE(parse_host(raw)) << raw;
  }
}

TEST(HostName, HasAtMost253BytesWithoutTheTrailingDots) {
  EXPECT_TRUE(parse_host(long_name(253)));
  EXPECT_TRUE(parse_host(long_name(253) + "..."));
  EXPECT_FALSE(parse_host(long_name(254)));
  EXPECT_FALSE(parse_host(long_name(254) + "."));
}

TEST(HostName, HasLabelsOfAtMost63Bytes) {
  EXPECT_TRUE(parse_host(testing::repeated(63, 'a') + ".test"));
  EXPECT_FALSE(parse_host(testing::repeated(64, 'a') + ".test"));
  EXPECT_TRUE(parse_host("test." + testing::repeated(63, 'a')));
  EXPECT_FALSE(parse_host("test." + testing::repeated(64, 'a')));
}

TEST(HostName, RefusesEveryOtherByte) {
  const std::string good = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.";
  for (int byte = 0; byte < 256; ++byte) {
    const char c = static_cast<char>(byte);
    const std::string name = std::string("a") + c + "b.test";
    EXPECT_EQ(parse_host(name).has_value(), good.find(c) != std::string::npos) << byte;
  }
}

TEST(HostName, KnowsPlainIpv4Addresses) {
  EXPECT_EQ(form_of("127.0.0.1"), HostForm::ipv4);
  EXPECT_EQ(text_of("127.0.0.1."), "127.0.0.1");
  EXPECT_EQ(form_of("1.2.3.4.example"), HostForm::name);
}

TEST(HostName, RefusesNumbersThatAResolverReadsAsAnAddress) {
  for (const std::string_view raw : {"127.1",
                                     "0x7f.1",
                                     "017700000001",
                                     "2130706433",
                                     "0x7f000001",
                                     "0X7F000001",
                                     "0177.0.0.1",
                                     "127.0.0.0x1",
                                     "127.0.1",
                                     "1.2.3.4.5",
                                     "256.1.1.1",
                                     "01.2.3.4",
                                     "0",
                                     "0x",
                                     "0x.",
                                     "example.1",
                                     "example.0xff",
                                     "a.0x",
                                     "1.",
                                     "99999999999999999999"}) {
    EXPECT_FALSE(parse_host(raw)) << raw;
  }
}

TEST(HostName, AllowsLabelsThatOnlyLookLikeNumbers) {
  for (const std::string_view raw : {"0xfg", "1a", "0x7f.test", "1.test", "127.0.0.1.test", "x0", "1-1", "1_0"}) {
    EXPECT_EQ(text_of(raw), raw);
  }
}

TEST(HostName, KeepsTheBracketsOfAnIpv6Literal) {
  for (const std::string_view raw :
       {"[::]", "[::1]", "[1::]", "[fe80::1]", "[2001:db8:0:1:2:3:4:5]", "[::ffff:1.2.3.4]", "[1:2:3:4:5:6:7::]",
        "[::2:3:4:5:6:7:8]", "[1:2:3:4:5:6:1.2.3.4]"}) {
    EXPECT_EQ(text_of(raw), raw);
    EXPECT_EQ(form_of(raw), HostForm::ipv6);
  }
  EXPECT_EQ(text_of("[2001:DB8::A]"), "[2001:db8::a]");
}

TEST(HostName, RefusesMalformedIpv6Literals) {
  for (const std::string_view raw : {"[",
                                     "[]",
                                     "[:]",
                                     "[:::]",
                                     "[::1",
                                     "::1]",
                                     "::1",
                                     "fe80::1",
                                     "[::1].",
                                     "[::1]:80",
                                     "[fe80::1%eth0]",
                                     "[fe80::1%25eth0]",
                                     "[1:2:3:4:5:6:7]",
                                     "[1:2:3:4:5:6:7:8:9]",
                                     "[1::2::3]",
                                     "[12345::]",
                                     "[g::]",
                                     "[::1.2.3]",
                                     "[::1.2.3.256]",
                                     "[1.2.3.4]",
                                     "[1.2.3.4::]",
                                     "[1:2:3:4:5:6:7:1.2.3.4]",
                                     "[1:2:3:4:5:6:7:8::]",
                                     "[:1::2]",
                                     "[1::2:]",
                                     "[example.com]",
                                     "[[::1]]",
                                     "[ ::1]"}) {
    EXPECT_FALSE(parse_host(raw)) << raw;
  }
  EXPECT_FALSE(parse_host(std::string_view("[::1\0]", 6)));
}

TEST(Port, IsANumberFrom1To65535InPlainDigits) {
  EXPECT_EQ(parse_port("1"), 1);
  EXPECT_EQ(parse_port("65535"), 65535);
  for (const std::string_view digits : {"", "0", "00", "080", "65536", "99999", "100000", "4294967297", "+80", "-1",
                                        "80 ", " 80", "8o", "0x50", "80.0"}) {
    EXPECT_FALSE(parse_port(digits)) << digits;
  }
  EXPECT_FALSE(parse_port(std::string_view("80\0", 3)));
}

TEST(UrlHost, StandsBetweenTheSchemeAndThePath) {
  EXPECT_EQ(url_host("https://api.example.com/v1"), "api.example.com");
  EXPECT_EQ(url_host("https://api.example.com"), "api.example.com");
  EXPECT_EQ(url_host("https://API.Example.com.:8443/"), "api.example.com");
  EXPECT_EQ(url_host("https://example.com?x=/a@b"), "example.com");
  EXPECT_EQ(url_host("https://example.com#@other.test"), "example.com");
  EXPECT_EQ(url_host("http://127.0.0.1:9"), "127.0.0.1");
}

TEST(UrlHost, DropsUserInformation) {
  EXPECT_EQ(url_host("https://user:pass@example.com:443/"), "example.com");
  EXPECT_EQ(url_host("https://a@b@example.com"), "example.com");
  EXPECT_EQ(url_host("https://good.test:80@evil.test/"), "evil.test");
}

TEST(UrlHost, IsNothingForWhatIsNoUrlWithAHost) {
  for (const std::string_view url : {"",
                                     "example.com",
                                     "https:example.com",
                                     "https:/example.com",
                                     "https://",
                                     "https:///path",
                                     "https://:80",
                                     "https://example.com:",
                                     "https://example.com:0",
                                     "https://example.com:65536",
                                     "https://example.com:080",
                                     "https://example.com:80:80",
                                     "https://user@",
                                     "https://exa mple.com",
                                     "https://ex%61mple.com",
                                     "https://[::1]/",
                                     "https://[::1]:80",
                                     "https://127.1/",
                                     "https://2130706433",
                                     "https://a..b/",
                                     "https://*.example.com",
                                     "https://exämple.com"}) {
    EXPECT_EQ(url_host(url), std::nullopt) << url;
  }
}

TEST(UrlHost, IsNothingWhereParsersDisagreeAboutTheScheme) {
  for (const std::string_view url : {"http:evil.test://good.test", "//evil.test/://good.test", "?://good.test"}) {
    EXPECT_EQ(url_host(url), std::nullopt) << url;
  }
}

TEST(UrlHost, IsNothingWhereParsersDisagreeAboutABackslash) {
  EXPECT_EQ(url_host("https://evil.test\\@good.test/"), std::nullopt);
  EXPECT_EQ(url_host("https://good.test/\\@evil.test"), "good.test");
}

}  // namespace
}  // namespace agentrun
