// Private addresses, by every way that leads to one.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>

#include "agentrun/ipv4.hpp"
#include "support/routes.hpp"

namespace agentrun::proxy::test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr std::uint32_t public_address = 0xC6120001;  // 198.18.0.1: public by the rules, routed nowhere

/// The first and the last address of each range, and one between.
const char* const private_addresses[] = {
    "0.0.0.0",     "0.1.2.3",         "0.255.255.255",   "10.0.0.0",   "10.1.2.3",   "10.255.255.255",
    "100.64.0.0",  "100.100.1.1",     "100.127.255.255", "127.0.0.0",  "127.0.0.1",  "127.255.255.255",
    "169.254.0.0", "169.254.169.254", "169.254.255.255", "172.16.0.0", "172.20.0.1", "172.31.255.255",
    "192.168.0.0", "192.168.1.1",     "192.168.255.255"};

/// The neighbours of the ranges, and what is public on purpose. Nobody is ever connected to.
const char* const public_addresses[] = {"1.0.0.0",     "9.255.255.255",   "11.0.0.0",      "100.63.255.255",
                                        "100.128.0.0", "126.255.255.255", "128.0.0.0",     "169.253.255.255",
                                        "169.255.0.0", "172.15.255.255",  "172.32.0.0",    "192.167.255.255",
                                        "192.169.0.0", "198.18.0.1",      "198.19.255.255"};

TEST(PrivateAddresses, AreRefusedAsLiteralsOnEveryRoute) {
  ProxyUnderTest proxy(allow_public());
  for (const char* address : private_addresses) {
    for (const Route route : routes)
      EXPECT_EQ(answer_to(proxy, request_for(route, address, 443)), Answer::refused) << route << ' ' << address;
    EXPECT_EQ(answer_to(proxy, socks_request_for(*parse_ipv4(address), 443)), Answer::refused) << address;
  }
  EXPECT_THAT(proxy.resolver().asked(), IsEmpty());
}

TEST(PrivateAddresses, EndWhereTheListEnds) {
  for (const char* address : private_addresses) EXPECT_TRUE(is_private_ipv4(*parse_ipv4(address))) << address;
  for (const char* address : public_addresses) EXPECT_FALSE(is_private_ipv4(*parse_ipv4(address))) << address;
}

TEST(PrivateAddresses, AreRefusedBehindAName) {
  for (const NetworkPolicy& policy : {allow_public(), allow({"*.test"})}) {
    ProxyUnderTest proxy(policy);
    proxy.resolver().add("only.test", {loopback});
    proxy.resolver().add("first.test", {loopback, public_address});
    proxy.resolver().add("last.test", {public_address, public_address + 1, 0x0A000001});
    for (const char* host : {"only.test", "first.test", "last.test", "LAST.test."}) {
      for (const Route route : routes)
        EXPECT_EQ(answer_to(proxy, request_for(route, host, 443)), Answer::refused) << route << ' ' << host;
    }
    EXPECT_THAT(proxy.events(), ElementsAre("only.test:443 private_address", "first.test:443 private_address",
                                            "last.test:443 private_address"));
  }
}

TEST(PrivateAddresses, AreReachedByAnExactRuleAlone) {
  Origin origin;
  const std::string port = std::to_string(origin.port());
  ProxyUnderTest proxy(allow({"exact.wild.test:" + port, "*.wild.test:" + port}));
  proxy.resolver().add("exact.wild.test", {loopback});
  proxy.resolver().add("other.wild.test", {loopback});
  for (const Route route : {Route::connect, Route::socks_name}) {
    EXPECT_EQ(answer_to(proxy, request_for(route, "exact.wild.test", origin.port())), Answer::open) << route;
    EXPECT_EQ(answer_to(proxy, request_for(route, "other.wild.test", origin.port())), Answer::refused) << route;
  }
}

TEST(PrivateAddresses, AreReachedAsTheServicesOn443Alone) {
  const auto policy = NetworkPolicy::make(NetworkMode::none, {}, {"service.test"}).value();
  ProxyUnderTest proxy(policy);
  proxy.resolver().add("service.test", {loopback + 41});
  for (const Route route : routes) {
    EXPECT_NE(answer_to(proxy, request_for(route, "service.test", 443)), Answer::refused) << route;
    EXPECT_EQ(answer_to(proxy, request_for(route, "service.test", 80)), Answer::refused) << route;
    EXPECT_EQ(answer_to(proxy, request_for(route, "x.service.test", 443)), Answer::refused) << route;
  }
}

/// Answers a name with another address each time, as a hostile name server does.
class Rebinding final : public Resolver {
 public:
  void resolve(const std::string&, Done done) override { done({first_ + count_++}); }
  [[nodiscard]] std::uint32_t count() const noexcept { return count_; }
  explicit Rebinding(std::uint32_t first) : first_(first) {}

 private:
  std::uint32_t first_;
  std::atomic<std::uint32_t> count_ = 0;
};

TEST(PrivateAddresses, CannotBeTheSecondAnswer) {
  Origin origin;  // on 127.0.0.1 alone: what is connected to is the first answer, or the tunnel fails
  const auto resolver = std::make_shared<Rebinding>(loopback);
  Options options;
  options.resolver = resolver;
  const auto proxy = Proxy::start(allow({origin.authority("a.test")}), options, nullptr);
  ASSERT_TRUE(proxy);
  Peer client = Peer::connect((*proxy)->port());
  EXPECT_EQ(answer_to(client, request_for(Route::connect, "a.test", origin.port())), Answer::open);
  EXPECT_EQ(resolver->count(), 1U) << "what was judged is what is connected to";
}

TEST(PrivateAddresses, AreLookedForInEachAnswerAnew) {
  const auto resolver = std::make_shared<Rebinding>(0x09FFFFFF);  // 9.255.255.255, then 10.0.0.0
  Options options;
  options.resolver = resolver;
  Environment environment;
  environment.set("https_proxy", "127.0.0.1:" + std::to_string(closed_port()));
  options.upstream = read_upstream(environment).upstream;
  const auto proxy = Proxy::start(allow_public(), options, nullptr);
  ASSERT_TRUE(proxy);
  Peer first = Peer::connect((*proxy)->port());
  EXPECT_EQ(answer_to(first, request_for(Route::connect, "a.test", 443)), Answer::failed) << "public: gone on with";
  Peer second = Peer::connect((*proxy)->port());
  EXPECT_EQ(answer_to(second, request_for(Route::connect, "a.test", 443)), Answer::refused);
}

}  // namespace
}  // namespace agentrun::proxy::test
