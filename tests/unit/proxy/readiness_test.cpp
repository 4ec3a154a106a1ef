// The system reports once that a socket can be read. What a read leaves behind must not be forgotten.

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstring>

#include "support/proxy_under_test.hpp"

namespace agentrun::proxy::test {
namespace {

/// A client whose request waits for a name, so that whatever it sends meanwhile lies there in one piece.
struct Held {
  Held() : proxy(allow({"held.test:" + std::to_string(origin.port())})) { proxy.resolver().let_hang("held.test"); }

  void ask(Peer& client) {
    const std::string authority = origin.authority("held.test");
    client.send("CONNECT " + authority + " HTTP/1.1\r\nHost: " + authority + "\r\n\r\n");
    ASSERT_TRUE(proxy.resolver().wait_asked(1));
  }

  Peer let_go() {
    proxy.resolver().release({0x7F000001});
    return origin.accept();
  }

  Origin origin;
  ProxyUnderTest proxy;
};

/// A message with a descriptor ends a read of a unix socket.
void send_with_descriptor(const Peer& peer, char byte) {
  iovec part{&byte, 1};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  cmsghdr* const header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof(int));
  const int descriptor = STDERR_FILENO;
  std::memcpy(CMSG_DATA(header), &descriptor, sizeof descriptor);
  ASSERT_EQ(::sendmsg(peer.descriptor(), &message, MSG_NOSIGNAL), 1);
}

TEST(Readiness, BytesBehindAMessageWithADescriptorGoOn) {
  Held held;
  Peer client = held.proxy.connect_unix();
  held.ask(client);
  client.send("a");
  send_with_descriptor(client, 'b');
  client.send("c");
  EXPECT_EQ(held.let_go().receive(3).bytes, "abc");
}

TEST(Readiness, BytesBehindAnUrgentOneGoOn) {
  Held held;
  Peer client = held.proxy.connect();
  held.ask(client);
  client.send("a");
  ASSERT_EQ(::send(client.descriptor(), "!", 1, MSG_OOB), 1);
  client.send("c");
  EXPECT_EQ(held.let_go().receive(2).bytes, "ac") << "the urgent byte itself belongs to no stream";
}

TEST(Readiness, AnEndThatCameWithTheBytesIsSeen) {
  Held held;
  Peer client = held.proxy.connect();
  held.ask(client);
  client.send("last words");
  client.shutdown_sending();
  Peer upstream = held.let_go();
  const Received received = upstream.receive_all();
  EXPECT_EQ(received.bytes, "last words");
  EXPECT_EQ(received.ending, Ending::orderly);
}

/// More sockets at once than one report of the system holds.
TEST(Readiness, NoneOfManyIsForgotten) {
  constexpr int many = 400;
  Origin origin(many);
  const ProxyUnderTest proxy(allow({origin.authority()}));
  std::vector<Peer> clients;
  for (int i = 0; i < many; ++i) {
    clients.push_back(i % 2 == 0 ? proxy.connect() : proxy.connect_unix());
    clients.back().send("CONNECT " + origin.authority() + " HTTP/1.1\r\nHost: x\r\n\r\n" + std::to_string(i) + ";");
  }
  std::vector<Peer> upstreams;
  for (int i = 0; i < many; ++i) {
    upstreams.push_back(origin.accept());
    const std::string number = upstreams.back().receive_through(";");
    upstreams.back().send(number);
  }
  for (int i = 0; i < many; ++i) {
    Peer& client = clients[static_cast<std::size_t>(i)];
    EXPECT_TRUE(client.receive_through("\r\n\r\n").starts_with("HTTP/1.1 200"));
    EXPECT_EQ(client.receive_through(";"), std::to_string(i) + ";");
  }
}

}  // namespace
}  // namespace agentrun::proxy::test
