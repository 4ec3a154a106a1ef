#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/proxy_under_test.hpp"

namespace agentrun::proxy::test {
namespace {

using ::testing::ElementsAre;
using ::testing::UnorderedElementsAre;

TEST(NetworkEvents, AreToldOnceForEachTriple) {
  Origin origin;
  ProxyUnderTest proxy(allow({origin.authority(), "*.wild.test"}));
  for (int i = 0; i < 3; ++i) {
    (void)proxy.tunnel(origin.authority());
    (void)proxy.answer_to(connect_request("other.test:443"));
    (void)proxy.answer_to(connect_request("OTHER.test.:443"));
    (void)proxy.answer_to(connect_request("other.test:80"));
  }
  EXPECT_THAT(proxy.events(),
              ElementsAre(origin.authority() + " allowed", "other.test:443 not_allowed", "other.test:80 not_allowed"));
}

TEST(NetworkEvents, TellBothWhenANameBecomesPrivate) {
  ProxyUnderTest proxy(allow({"*.wild.test"}));
  EXPECT_EQ(status_of(proxy.answer_to(connect_request("a.wild.test:443"))), 502);
  proxy.resolver().add("a.wild.test", {0x0A000001});
  EXPECT_EQ(status_of(proxy.answer_to(connect_request("a.wild.test:443"))), 403);
  EXPECT_THAT(proxy.events(), ElementsAre("a.wild.test:443 allowed", "a.wild.test:443 private_address"));
}

TEST(NetworkEvents, ComeFromManyClientsAtOnceStillOnce) {
  const ProxyUnderTest proxy(allow({"a.test"}));
  std::vector<std::thread> clients;
  for (int i = 0; i < 8; ++i) {
    clients.emplace_back([&proxy] {
      for (int j = 0; j < 20; ++j) EXPECT_EQ(status_of(proxy.answer_to(connect_request("b.test:443"))), 403);
    });
  }
  for (std::thread& client : clients) client.join();
  EXPECT_THAT(proxy.events(), UnorderedElementsAre("b.test:443 not_allowed"));
}

TEST(NetworkEvents, NameAnIPv6LiteralWithItsBrackets) {
  const ProxyUnderTest proxy(allow_public());
  EXPECT_EQ(body_of(proxy.answer_to(connect_request("[::1]:443"))), "agentrun: [::1]:443 is not allowed (not_allowed)");
  EXPECT_THAT(proxy.events(), ElementsAre("[::1]:443 not_allowed"));
}

TEST(NetworkEvents, MayBeLeftOut) {
  const auto proxy = Proxy::start(allow({"a.test"}), {}, nullptr);
  ASSERT_TRUE(proxy);
  Peer client = Peer::connect((*proxy)->port());
  client.send(connect_request("b.test:443"));
  EXPECT_EQ(status_of(client.receive_all().bytes), 403);
}

}  // namespace
}  // namespace agentrun::proxy::test
