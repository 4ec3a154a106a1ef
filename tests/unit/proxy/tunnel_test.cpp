#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>

#include "support/proxy_under_test.hpp"

namespace agentrun::proxy::test {
namespace {

/// Bytes that show a swap, a gap or a repetition.
std::string pattern(std::size_t size) {
  std::string bytes(size, '\0');
  std::uint32_t state = 1;
  for (char& byte : bytes) {
    state = state * 1664525 + 1013904223;
    byte = static_cast<char>(state >> 24);
  }
  return bytes;
}

/// Without reading anything.
bool has_failed(const Peer& peer) {
  pollfd state{peer.descriptor(), 0, 0};
  return ::poll(&state, 1, 0) == 1 && (state.revents & (POLLERR | POLLHUP)) != 0;
}

struct Tunnel {
  explicit Tunnel(Timeouts timeouts = {})
      : proxy(allow({origin.authority()}), timeouts),
        client(proxy.tunnel(origin.authority())),
        upstream(origin.accept()) {}

  Origin origin;
  ProxyUnderTest proxy;
  Peer client;
  Peer upstream;
};

TEST(Tunnels, CarryBytesBothWays) {
  Tunnel tunnel;
  tunnel.client.send("ping");
  EXPECT_EQ(tunnel.upstream.receive(4).bytes, "ping");
  tunnel.upstream.send("pong");
  EXPECT_EQ(tunnel.client.receive(4).bytes, "pong");
}

TEST(Tunnels, CarryWhatCameWithTheRequest) {
  Origin origin;
  const ProxyUnderTest proxy(allow({origin.authority()}));
  Peer client = proxy.connect_unix();
  client.send("CONNECT " + origin.authority() + " HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nearly");
  EXPECT_EQ(origin.accept().receive(5).bytes, "early");
  EXPECT_EQ(client.receive_through("\r\n\r\n"), "HTTP/1.1 200 Connection established\r\n\r\n");
}

TEST(Tunnels, CarryMuchWithoutAChangedByte) {
  Tunnel tunnel;
  const std::string up = pattern(16 << 20);
  const std::string down = pattern((16 << 20) + 1);
  std::thread client_sends([&] { tunnel.client.send(up); });
  std::thread upstream_sends([&] { tunnel.upstream.send(down); });
  std::thread client_reads([&] { EXPECT_TRUE(tunnel.client.receive(down.size()).bytes == down); });
  EXPECT_TRUE(tunnel.upstream.receive(up.size()).bytes == up);
  client_sends.join();
  upstream_sends.join();
  client_reads.join();
}

TEST(Tunnels, ChangeBetweenMuchAndLittle) {
  Tunnel tunnel;
  const std::string much = pattern(3 << 20);
  for (int i = 0; i < 4; ++i) {
    std::thread sender([&] { tunnel.upstream.send(much); });
    EXPECT_TRUE(tunnel.client.receive(much.size()).bytes == much);
    sender.join();
    for (int j = 0; j < 20; ++j) {
      tunnel.upstream.send("little");
      EXPECT_EQ(tunnel.client.receive(6).bytes, "little");
      tunnel.client.send("less");
      EXPECT_EQ(tunnel.upstream.receive(4).bytes, "less");
    }
  }
}

TEST(Tunnels, HoldAReaderThatIsSlow) {
  Tunnel tunnel;
  const std::string bytes = pattern(24 << 20);
  std::thread sender([&] {
    tunnel.upstream.send(bytes);
    tunnel.upstream.shutdown_sending();
  });
  EXPECT_FALSE(tunnel.client.is_quiet(5000));
  const Received received = tunnel.client.receive_all();
  EXPECT_TRUE(received.bytes == bytes);
  EXPECT_EQ(received.ending, Ending::orderly);
  sender.join();
}

TEST(Tunnels, PassTheClientsEndOnAndTheRestBack) {
  Tunnel tunnel;
  tunnel.client.send("request");
  tunnel.client.shutdown_sending();
  const Received request = tunnel.upstream.receive_all();
  EXPECT_EQ(request.bytes, "request");
  EXPECT_EQ(request.ending, Ending::orderly);
  tunnel.upstream.send("answer");
  tunnel.upstream.close();
  const Received answer = tunnel.client.receive_all();
  EXPECT_EQ(answer.bytes, "answer");
  EXPECT_EQ(answer.ending, Ending::orderly);
}

TEST(Tunnels, PassUpstreamsEndOnAndTheRestUp) {
  Timeouts timeouts;
  timeouts.half_close = std::chrono::milliseconds(50);
  Tunnel tunnel(timeouts);
  tunnel.upstream.shutdown_sending();
  EXPECT_EQ(tunnel.client.receive_all().ending, Ending::orderly);
  EXPECT_TRUE(tunnel.upstream.is_quiet(200));
  tunnel.client.send("late");
  EXPECT_EQ(tunnel.upstream.receive(4).bytes, "late");
  tunnel.client.close();
  EXPECT_EQ(tunnel.upstream.receive_all().ending, Ending::orderly);
}

TEST(Tunnels, EndWhenTheClientHasClosedAndUpstreamIsSilent) {
  Timeouts timeouts;
  timeouts.half_close = std::chrono::milliseconds(150);
  Tunnel tunnel(timeouts);
  tunnel.client.shutdown_sending();
  EXPECT_EQ(tunnel.upstream.receive_all().ending, Ending::orderly);
  EXPECT_NE(tunnel.client.receive_all().ending, Ending::too_late);
}

TEST(Tunnels, GoOnAfterTheClientsEndWhileUpstreamSends) {
  Timeouts timeouts;
  timeouts.half_close = std::chrono::milliseconds(400);
  Tunnel tunnel(timeouts);
  tunnel.client.shutdown_sending();
  for (int i = 0; i < 8; ++i) {
    EXPECT_TRUE(tunnel.client.is_quiet(100));
    tunnel.upstream.send("x");
    EXPECT_EQ(tunnel.client.receive(1).bytes, "x") << i;
  }
}

TEST(Tunnels, MayPauseWhileBothSidesAreOpen) {
  Timeouts timeouts;
  timeouts.half_close = std::chrono::milliseconds(50);
  timeouts.head = std::chrono::milliseconds(50);
  Tunnel tunnel(timeouts);
  EXPECT_TRUE(tunnel.client.is_quiet(300));
  tunnel.upstream.send("x");
  EXPECT_EQ(tunnel.client.receive(1).bytes, "x");
}

TEST(Tunnels, PassAResetOfUpstreamOn) {
  Tunnel tunnel;
  tunnel.upstream.send("part");
  EXPECT_EQ(tunnel.client.receive(4).bytes, "part");
  tunnel.upstream.reset();
  EXPECT_EQ(tunnel.client.receive_all().ending, Ending::reset);
}

TEST(Tunnels, PassAResetOfTheClientOn) {
  Tunnel tunnel;
  tunnel.client.send("part");
  EXPECT_EQ(tunnel.upstream.receive(4).bytes, "part");
  tunnel.client.reset();
  EXPECT_EQ(tunnel.upstream.receive_all().ending, Ending::reset);
}

TEST(Tunnels, PassAResetOnInTheMiddleOfADownload) {
  Tunnel tunnel;
  std::thread sender([&] {
    tunnel.upstream.try_send(pattern(4 << 20));
    tunnel.upstream.reset();
  });
  // No more: a longer read could meet the reset itself, and a socket tells it only once.
  (void)tunnel.client.receive(1);
  sender.join();
  EXPECT_EQ(tunnel.client.receive_all().ending, Ending::reset);
}

TEST(Tunnels, PassAResetOnWhileUpstreamDoesNotRead) {
  Tunnel tunnel;
  std::thread sender([&] { EXPECT_FALSE(tunnel.client.try_send(pattern(64 << 20))); });
  EXPECT_FALSE(tunnel.upstream.is_quiet(5000));
  tunnel.upstream.reset();
  sender.join();
}

TEST(Tunnels, PassAResetOfTheClientOnWhileItDoesNotRead) {
  Tunnel tunnel;
  std::thread sender([&] { EXPECT_FALSE(tunnel.upstream.try_send(pattern(64 << 20))); });
  EXPECT_FALSE(tunnel.client.is_quiet(5000));
  tunnel.client.reset();
  sender.join();
}

TEST(Tunnels, PassAResetOfTheClientOnWhileUpstreamDoesNotRead) {
  Tunnel tunnel;
  const timeval patience{0, 300'000};
  ::setsockopt(tunnel.client.descriptor(), SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
  EXPECT_FALSE(tunnel.client.try_send(pattern(64 << 20))) << "everything on the way is full";
  tunnel.client.reset();
  EXPECT_TRUE(eventually([&] { return has_failed(tunnel.upstream); }));
}

TEST(Tunnels, PassAResetOnAfterTheClientsEnd) {
  Tunnel tunnel;
  tunnel.client.shutdown_sending();
  EXPECT_EQ(tunnel.upstream.receive_all().ending, Ending::orderly);
  tunnel.upstream.reset();
  EXPECT_EQ(tunnel.client.receive_all().ending, Ending::reset);
}

}  // namespace
}  // namespace agentrun::proxy::test
