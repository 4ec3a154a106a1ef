#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "judgement.hpp"
#include "support/proxy_under_test.hpp"

namespace agentrun::proxy::test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr std::uint32_t public_address = 0xC6120001;  // 198.18.0.1: public by the rules, routed nowhere

TEST(Judgement, RefusesOnePrivateAddressAmongPublicOnes) {
  const Verdict verdict = conclude(Ruling::allowed_if_public, {public_address, loopback, public_address});
  EXPECT_EQ(verdict.refusal, DenyReason::private_address);
  EXPECT_THAT(verdict.addresses, IsEmpty());
}

TEST(Judgement, LetsPrivateAddressesOfAnExactRulePass) {
  const Verdict verdict = conclude(Ruling::allowed, {loopback});
  EXPECT_EQ(verdict.refusal, std::nullopt);
  EXPECT_THAT(verdict.addresses, ElementsAre(loopback));
}

TEST(Resolving, RefusesANameWithOnePrivateAddress) {
  Origin origin;
  ProxyUnderTest proxy(allow_public());
  proxy.resolver().add("mixed.test", {public_address, loopback});
  const std::string authority = origin.authority("mixed.test");
  EXPECT_EQ(body_of(proxy.answer_to(connect_request(authority))),
            "agentrun: " + authority + " is not allowed (private_address)");
  EXPECT_TRUE(origin.is_quiet(0));
  EXPECT_THAT(proxy.events(), ElementsAre(authority + " private_address"));
}

TEST(Resolving, RefusesPrivateLiteralsWithoutAskingTheResolver) {
  ProxyUnderTest proxy(allow_public());
  for (const char* host :
       {"0.0.0.0", "10.1.2.3", "100.64.0.1", "127.0.0.1", "169.254.169.254", "172.31.0.1", "192.168.1.1"})
    EXPECT_EQ(status_of(proxy.answer_to(connect_request(std::string(host) + ":443"))), 403) << host;
  EXPECT_THAT(proxy.resolver().asked(), IsEmpty());
}

TEST(Resolving, LetsANameOfAnExactRuleBePrivate) {
  Origin origin;
  ProxyUnderTest proxy(allow({origin.authority("inner.test")}));
  proxy.resolver().add("inner.test", {loopback});
  Peer client = proxy.tunnel(origin.authority("inner.test"));
  client.send("x");
  EXPECT_EQ(origin.accept().receive(1).bytes, "x");
}

TEST(Resolving, ChecksThePrivateAddressOfAWildcard) {
  Origin origin;
  ProxyUnderTest proxy(allow({"*.wild.test:" + std::to_string(origin.port())}));
  proxy.resolver().add("a.wild.test", {loopback});
  EXPECT_EQ(status_of(proxy.answer_to(connect_request(origin.authority("a.wild.test")))), 403);
}

TEST(Resolving, TriesEachAddressInTurn) {
  Origin origin;
  ProxyUnderTest proxy(allow({origin.authority("many.test")}));
  // Nobody listens on the port at 127.0.0.2 and .3: refused at once.
  proxy.resolver().add("many.test", {loopback + 1, loopback + 2, loopback});
  (void)proxy.tunnel(origin.authority("many.test"));
  (void)origin.accept();
}

TEST(Resolving, NamesTheErrorOfTheLastAddress) {
  const std::string authority = "many.test:" + std::to_string(closed_port());
  ProxyUnderTest proxy(allow({authority}));
  proxy.resolver().add("many.test", {loopback + 1, loopback});
  EXPECT_EQ(body_of(proxy.answer_to(connect_request(authority))),
            "agentrun: " + authority + " connection failed (Connection refused)");
}

TEST(Resolving, AsksForEachConnectionOnce) {
  Origin origin;
  ProxyUnderTest proxy(allow({origin.authority("site.test")}));
  proxy.resolver().add("site.test", {loopback});
  (void)proxy.tunnel(origin.authority("Site.TEST."));
  EXPECT_THAT(proxy.resolver().asked(), ElementsAre("site.test"));
}

TEST(Resolving, DoesNotDelayOthersWhileANameHangs) {
  Origin origin;
  ProxyUnderTest proxy(allow({origin.authority("site.test"), "hang.test:80"}));
  proxy.resolver().add("site.test", {loopback});
  proxy.resolver().let_hang("hang.test");
  std::vector<Peer> waiting;
  for (int i = 0; i < 50; ++i) {
    waiting.push_back(proxy.connect());
    waiting.back().send(connect_request("hang.test:80"));
  }
  ASSERT_TRUE(proxy.resolver().wait_asked(50));
  (void)proxy.tunnel(origin.authority("site.test"));
  EXPECT_EQ(proxy.resolver().release({}), 50U);
  for (Peer& client : waiting) EXPECT_EQ(status_of(client.receive_all().bytes), 502);
}

TEST(Resolving, DropsAnAnswerThatComesAfterTheEnd) {
  auto resolver = std::make_shared<FakeResolver>();
  resolver->let_hang("hang.test");
  Options options;
  options.resolver = resolver;
  auto proxy = Proxy::start(allow({"hang.test:80"}), options, nullptr);
  ASSERT_TRUE(proxy);
  Peer client = Peer::connect((*proxy)->port());
  client.send(connect_request("hang.test:80"));
  ASSERT_TRUE(resolver->wait_asked(1));
  proxy->reset();
  EXPECT_NE(client.receive_all().ending, Ending::too_late);
  EXPECT_EQ(resolver->release({loopback}), 1U);
}

TEST(Resolving, TakesAnAnswerFromAnotherThreadAfterTheClientHasGone) {
  ProxyUnderTest proxy(allow({"hang.test:80"}));
  proxy.resolver().let_hang("hang.test");
  Peer client = proxy.connect();
  client.send(connect_request("hang.test:80"));
  ASSERT_TRUE(proxy.resolver().wait_asked(1));
  client.reset();
  std::thread([&] { EXPECT_EQ(proxy.resolver().release({loopback}), 1U); }).join();
  EXPECT_EQ(status_of(proxy.answer_to(connect_request("other.test:80"))), 403);
}

}  // namespace
}  // namespace agentrun::proxy::test
