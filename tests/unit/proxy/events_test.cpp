#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <malloc.h>

#include <atomic>

#include "network_log.hpp"
#include "support/proxy_under_test.hpp"

namespace agentrun::proxy::test {
namespace {

constexpr bool built_with_a_sanitizer = !std::string_view(AGENTRUN_SANITIZERS).empty();

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

/// Counts what a log tells.
struct Told {
  std::size_t events = 0;
  std::vector<std::string> notes;
  NetworkLog log{[this](const NetworkEvent&) { ++events; },
                 [this](std::string note) { notes.push_back(std::move(note)); }};
};

Target numbered(std::size_t number) {
  return {HostName{std::string(200, 'x') + std::to_string(number) + ".test", HostForm::name}, 443};
}

TEST(NetworkEvents, EndAtABoundWithOneNote) {
  Told told;
  for (std::size_t i = 0; i < max_told_triples; ++i) told.log.refused(numbered(i), DenyReason::not_allowed);
  for (std::size_t i = 0; i < max_told_triples; ++i) told.log.refused(numbered(i), DenyReason::not_allowed);
  EXPECT_EQ(told.events, max_told_triples);
  EXPECT_THAT(told.notes, ::testing::IsEmpty()) << "nothing is left out yet";
  for (std::size_t i = 0; i < 2 * max_told_triples; ++i) told.log.refused(numbered(i), DenyReason::private_address);
  EXPECT_EQ(told.events, max_told_triples);
  EXPECT_THAT(told.notes,
              ElementsAre("network events: more than 4096 refused hosts and ports; further ones are not told"));
}

TEST(NetworkEvents, OfAllowedHostsAreNotHiddenByAFloodOfRefusedOnes) {
  Told told;
  for (std::size_t i = 0; i < 2 * max_told_triples; ++i) told.log.refused(numbered(i), DenyReason::not_allowed);
  told.log.allowed(numbered(0));
  EXPECT_EQ(told.events, max_told_triples + 1);
  for (std::size_t i = 0; i < 2 * max_told_triples; ++i) told.log.allowed(numbered(i));
  EXPECT_EQ(told.events, 2 * max_told_triples);
  ASSERT_EQ(told.notes.size(), 2U);
  EXPECT_EQ(told.notes[1], "network events: more than 4096 allowed hosts and ports; further ones are not told");
}

TEST(NetworkEvents, OfAHundredThousandRefusedHostsTakeBoundedMemory) {
  if (built_with_a_sanitizer) GTEST_SKIP() << "sanitizers have an allocator of their own";
  Told told;
  for (std::size_t i = 0; i < 2 * max_told_triples; ++i) told.log.refused(numbered(i), DenyReason::not_allowed);
  const std::size_t before = ::mallinfo2().uordblks;
  for (std::size_t i = 0; i < 100'000; ++i) told.log.refused(numbered(i), DenyReason::not_allowed);
  EXPECT_LE(::mallinfo2().uordblks, before + 4096);
}

TEST(NetworkEvents, AreBoundedForRealClientsToo) {
  std::atomic<std::size_t> events = 0;
  std::atomic<std::size_t> notes = 0;
  Options options;
  options.on_note = [&](const std::string&) { ++notes; };
  const auto proxy = Proxy::start(allow({"a.test"}), options, [&](const NetworkEvent&) { ++events; });
  ASSERT_TRUE(proxy);
  for (std::size_t i = 0; i < max_told_triples + 100; ++i) {
    Peer client = Peer::connect((*proxy)->port());
    client.send(connect_request("h" + std::to_string(i) + ".test:443"));
    ASSERT_EQ(status_of(client.receive_all().bytes), 403);
  }
  EXPECT_EQ(events, max_told_triples);
  EXPECT_EQ(notes, 1U);
}

}  // namespace
}  // namespace agentrun::proxy::test
