#include "agentrun/proxy/direct_hosts.hpp"

#include <gtest/gtest.h>

namespace agentrun::proxy {
namespace {

bool holds(const char* list, const char* host, std::uint16_t port = 443) {
  return DirectHosts::parse(list).contains(parse_host(host).value(), port);
}

TEST(DirectHosts, HoldNothingWhenEmpty) {
  EXPECT_FALSE(DirectHosts().contains({"a.test", HostForm::name}, 443));
  for (const char* list : {"", ",", " , ,\t", "\n"}) EXPECT_FALSE(holds(list, "a.test")) << list;
}

TEST(DirectHosts, AStarIsEveryHost) {
  for (const char* host : {"a.test", "localhost", "10.0.0.1"}) {
    EXPECT_TRUE(holds("*", host));
    EXPECT_TRUE(holds("x.test,*", host));
  }
}

TEST(DirectHosts, ADomainIsItselfAndEverythingBelow) {
  for (const char* entry : {"example.com", ".example.com", "*.example.com", "EXAMPLE.com.", ".Example.COM"}) {
    EXPECT_TRUE(holds(entry, "example.com")) << entry;
    EXPECT_TRUE(holds(entry, "a.example.com")) << entry;
    EXPECT_TRUE(holds(entry, "A.b.Example.com.")) << entry;
    EXPECT_FALSE(holds(entry, "notexample.com")) << entry;
    EXPECT_FALSE(holds(entry, "example.com.evil.test")) << entry;
    EXPECT_FALSE(holds(entry, "com")) << entry;
  }
  EXPECT_TRUE(holds("test", "a.test"));
  EXPECT_TRUE(holds("localhost", "localhost"));
}

TEST(DirectHosts, AnAddressIsItself) {
  EXPECT_TRUE(holds("192.168.1.1", "192.168.1.1"));
  EXPECT_FALSE(holds("192.168.1.1", "192.168.1.2"));
  EXPECT_FALSE(holds("192.168.1.1", "192.168.1.10"));
  EXPECT_FALSE(holds("1.1", "1.1.1.1")) << "no suffix of an address";
}

TEST(DirectHosts, ANetworkIsItsAddresses) {
  EXPECT_TRUE(holds("10.0.0.0/8", "10.255.255.255"));
  EXPECT_FALSE(holds("10.0.0.0/8", "11.0.0.0"));
  EXPECT_TRUE(holds("10.1.2.3/8", "10.9.9.9")) << "bits behind the mask make no difference";
  EXPECT_TRUE(holds("192.168.4.0/22", "192.168.7.255"));
  EXPECT_FALSE(holds("192.168.4.0/22", "192.168.8.0"));
  EXPECT_TRUE(holds("1.2.3.4/32", "1.2.3.4"));
  EXPECT_FALSE(holds("1.2.3.4/32", "1.2.3.5"));
  EXPECT_TRUE(holds("0.0.0.0/0", "1.2.3.4"));
  EXPECT_FALSE(holds("0.0.0.0/0", "a.test")) << "a name is no address";
}

TEST(DirectHosts, APortLimitsAnEntry) {
  for (const char* entry : {"a.test:8443", ".a.test:8443", "*:8443", "a.test:80,a.test:8443"}) {
    EXPECT_TRUE(holds(entry, "a.test", 8443)) << entry;
    EXPECT_FALSE(holds(entry, "a.test", 443)) << entry;
  }
  EXPECT_TRUE(holds("10.0.0.1:80", "10.0.0.1", 80));
  EXPECT_FALSE(holds("10.0.0.1:80", "10.0.0.1", 81));
}

TEST(DirectHosts, StandBetweenCommasOrWhiteSpace) {
  for (const char* list : {"a.test,b.test", "a.test b.test", "a.test, b.test", " ,a.test\t,\nb.test, "}) {
    EXPECT_TRUE(holds(list, "a.test")) << list;
    EXPECT_TRUE(holds(list, "b.test")) << list;
    EXPECT_FALSE(holds(list, "c.test")) << list;
  }
}

TEST(DirectHosts, LeaveOutWhatIsNoEntry) {
  for (const char* entry : {"10.0.0.0/33", "10.0.0.0/",   "/8",          "10.0.0/8",  "10.0.0.0/8:80",
                            "10.0.0.0/8x", "10.0.0.0/-1", "10.0.0.0/+8", "127.1",     "a*",
                            "*b",          "**",          "*.",          ".",         "..x",
                            "a..test",     "a.test:",     "a.test:0",    "a.test:x",  "a.test:65536",
                            "::1",         "[::1]",       "[::1]:80",    "fe80::/10", "http://a.test",
                            "a_b/c"}) {
    for (const char* host : {"a.test", "10.0.0.1", "127.0.0.1", "x"}) EXPECT_FALSE(holds(entry, host, 80)) << entry;
    EXPECT_TRUE(holds((std::string(entry) + ",a.test").c_str(), "a.test", 80)) << "the next one counts: " << entry;
  }
}

}  // namespace
}  // namespace agentrun::proxy
