#include "agentrun/ipv4.hpp"

namespace agentrun {
namespace {

std::uint32_t ip(std::string_view text) { return parse_ipv4(text).value(); }

TEST(Ipv4, ReadsADottedQuad) {
  EXPECT_EQ(parse_ipv4("0.0.0.0"), 0U);
  EXPECT_EQ(parse_ipv4("1.2.3.4"), 0x01020304U);
  EXPECT_EQ(parse_ipv4("255.255.255.255"), 0xFFFFFFFFU);
}

TEST(Ipv4, RefusesEveryOtherSpelling) {
  for (const std::string_view text :
       {"",           ".",         "1",          "1.2.3",        "1.2.3.",     ".1.2.3",   "1.2.3.4.",
        "1.2.3.4.5",  "1..3.4",    "256.1.1.1",  "1.1.1.256",    "1.1.1.1000", "01.2.3.4", "1.2.3.00",
        "0x7f.0.0.1", "127.1",     "2130706433", "017700000001", "1.2.3.4 ",   " 1.2.3.4", "+1.2.3.4",
        "-1.2.3.4",   "1.2.3.4/8", "a.b.c.d",    "1.2.3,4"}) {
    EXPECT_FALSE(parse_ipv4(text)) << text;
  }
  EXPECT_FALSE(parse_ipv4(std::string_view("1.2.3.4\0", 8)));
}

TEST(Ipv4, WritesWhatItReads) {
  for (const std::string_view text : {"0.0.0.0", "10.20.30.40", "255.255.255.255", "198.18.0.1"}) {
    EXPECT_EQ(format_ipv4(ip(text)), text);
  }
}

TEST(Ipv4, KnowsTheEdgesOfPrivateNetworks) {
  struct Edges {
    std::string_view before, first, last, behind;
  };
  for (const Edges& edges : {Edges{"255.255.255.255", "0.0.0.0", "0.255.255.255", "1.0.0.0"},
                             Edges{"9.255.255.255", "10.0.0.0", "10.255.255.255", "11.0.0.0"},
                             Edges{"100.63.255.255", "100.64.0.0", "100.127.255.255", "100.128.0.0"},
                             Edges{"126.255.255.255", "127.0.0.0", "127.255.255.255", "128.0.0.0"},
                             Edges{"169.253.255.255", "169.254.0.0", "169.254.255.255", "169.255.0.0"},
                             Edges{"172.15.255.255", "172.16.0.0", "172.31.255.255", "172.32.0.0"},
                             Edges{"192.167.255.255", "192.168.0.0", "192.168.255.255", "192.169.0.0"}}) {
    EXPECT_FALSE(is_private_ipv4(ip(edges.before))) << edges.before;
    EXPECT_TRUE(is_private_ipv4(ip(edges.first))) << edges.first;
    EXPECT_TRUE(is_private_ipv4(ip(edges.last))) << edges.last;
    EXPECT_FALSE(is_private_ipv4(ip(edges.behind))) << edges.behind;
  }
}

TEST(Ipv4, TakesFakeIpAddressesForPublic) {
  EXPECT_FALSE(is_private_ipv4(ip("198.18.0.1")));
  EXPECT_FALSE(is_private_ipv4(ip("198.19.255.255")));
}

}  // namespace
}  // namespace agentrun
