#include <gtest/gtest.h>

#include "support/proxy_under_test.hpp"

namespace agentrun::proxy::test {
namespace {

TEST(Limits, ThousandsOfTunnelsComeAndGo) {
  constexpr std::size_t tunnels = 2000;
  Origin origin(4096);
  const ProxyUnderTest proxy(allow({origin.authority()}));
  const std::size_t base = open_descriptors();
  constexpr std::size_t kept = 1;  // what the first connection leaves for good: the descriptor of the owner check
  {
    std::vector<Peer> clients;
    std::vector<Peer> upstreams;
    for (std::size_t i = 0; i < tunnels; ++i) {
      clients.push_back(i % 2 == 0 ? proxy.connect() : proxy.connect_unix());
      clients.back().send(connect_request(origin.authority()));
    }
    for (std::size_t i = 0; i < tunnels; ++i) upstreams.push_back(origin.accept());
    for (Peer& client : clients) ASSERT_EQ(status_of(client.receive_through("\r\n\r\n")), 200);
    EXPECT_GE(open_descriptors(), base + 4 * tunnels);
  }
  EXPECT_TRUE(eventually([&] { return open_descriptors() <= base + kept; }))
      << open_descriptors() << " open, base " << base;
}

TEST(Limits, ManyClientsAtOnceLoseNoConnection) {
  Origin origin(4096);
  const ProxyUnderTest proxy(allow({origin.authority()}));
  std::vector<Peer> clients;
  for (int i = 0; i < 400; ++i) clients.push_back(proxy.connect());
  for (Peer& client : clients) client.send(connect_request(origin.authority()));
  for (Peer& client : clients) EXPECT_EQ(status_of(client.receive_through("\r\n\r\n")), 200);
}

TEST(Limits, BulkDataMakesASecondThreadAndNoThird) {
  const std::size_t before = running_threads();
  Origin origin;
  const ProxyUnderTest proxy(allow({origin.authority()}));
  std::vector<Peer> clients;
  std::vector<Peer> upstreams;
  upstreams.reserve(10);  // the senders hold on to them
  const std::string much(32 << 20, 'x');
  const auto open_tunnel = [&] {
    clients.push_back(proxy.tunnel(origin.authority()));
    upstreams.push_back(origin.accept());
  };
  open_tunnel();
  EXPECT_EQ(running_threads(), before + 1);
  std::vector<std::thread> senders;
  for (int i = 0; i < 4; ++i) {
    // Nobody reads: the tunnel stays bulk and full.
    senders.emplace_back([&much, peer = &upstreams.back()] { EXPECT_FALSE(peer->try_send(much)); });
    EXPECT_TRUE(eventually([&] { return !clients.back().is_quiet(0); }));
    open_tunnel();
    clients.back().send("small");
    EXPECT_EQ(upstreams.back().receive(5).bytes, "small");
  }
  EXPECT_TRUE(eventually([&] {
    (void)proxy.answer_to(connect_request("b.test:443"));
    return running_threads() >= before + 2 + senders.size();
  }));
  EXPECT_EQ(running_threads(), before + 2 + senders.size());
  for (Peer& client : clients) client.reset();
  for (std::thread& sender : senders) sender.join();
}

TEST(Limits, AnAddressThatDoesNotAnswerIsGivenUp) {
  // A full backlog drops connection requests, as a dead host does.
  Origin full(0);
  std::vector<Peer> fill;
  fill.push_back(Peer::connect(full.port()));
  Timeouts timeouts;
  timeouts.connect = std::chrono::milliseconds(200);
  ProxyUnderTest proxy(allow({full.authority()}), timeouts);
  const std::string answer = proxy.answer_to(connect_request(full.authority()));
  EXPECT_EQ(body_of(answer), "agentrun: " + full.authority() + " connection failed (Connection timed out)");
}

}  // namespace
}  // namespace agentrun::proxy::test
