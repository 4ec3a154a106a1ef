#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/proxy_under_test.hpp"

namespace agentrun::proxy::test {
namespace {

using namespace std::string_literals;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

const std::string greeting = "\x05\x01\x00"s;

std::string port_bytes(std::uint16_t port) { return {static_cast<char>(port >> 8), static_cast<char>(port & 0xFF)}; }

std::string address_request(std::uint16_t port) { return "\x05\x01\x00\x01\x7F\x00\x00\x01"s + port_bytes(port); }

std::string name_request(std::string_view name, std::uint16_t port) {
  return "\x05\x01\x00\x03"s + static_cast<char>(name.size()) + std::string(name) + port_bytes(port);
}

/// The reply code to a request; -1 when there is none.
int reply_to(const ProxyUnderTest& proxy, const std::string& request) {
  Peer client = proxy.connect();
  client.send(greeting);
  if (client.receive(2).bytes != "\x05\x00"s) return -1;
  client.send(request);
  const std::string reply = client.receive(10).bytes;
  return reply.size() == 10 && reply[0] == '\x05' ? reply[1] : -1;
}

TEST(Socks, OpensATunnel) {
  Origin origin;
  ProxyUnderTest proxy(allow({origin.authority(), origin.authority("site.test")}));
  proxy.resolver().add("site.test", {loopback});
  for (const std::string& request : {address_request(origin.port()), name_request("SITE.test", origin.port())}) {
    Peer client = proxy.connect();
    client.send_byte_by_byte(greeting);
    EXPECT_EQ(client.receive(2).bytes, "\x05\x00"s);
    client.send_byte_by_byte(request);
    EXPECT_EQ(client.receive(10).bytes, "\x05\x00\x00\x01\x00\x00\x00\x00\x00\x00"s);
    Peer upstream = origin.accept();
    client.send("ping");
    EXPECT_EQ(upstream.receive(4).bytes, "ping");
    upstream.send("pong");
    EXPECT_EQ(client.receive(4).bytes, "pong");
  }
}

TEST(Socks, TakesEverythingInOneWrite) {
  Origin origin;
  const ProxyUnderTest proxy(allow({origin.authority()}));
  Peer client = proxy.connect_unix();
  client.send(greeting + address_request(origin.port()) + "early");
  EXPECT_EQ(client.receive(12).bytes, "\x05\x00\x05\x00\x00\x01\x00\x00\x00\x00\x00\x00"s);
  EXPECT_EQ(origin.accept().receive(5).bytes, "early");
}

TEST(Socks, RefusesAClientThatMustAuthenticate) {
  const ProxyUnderTest proxy(allow({"a.test"}));
  for (const std::string& methods : {"\x05\x01\x02"s, "\x05\x00"s}) {
    Peer client = proxy.connect();
    client.send(methods);
    EXPECT_EQ(client.receive_all().bytes, "\x05\xFF"s);
  }
}

TEST(Socks, RepliesWhyItRefuses) {
  ProxyUnderTest proxy(allow({"gone.test:80"}));
  EXPECT_EQ(reply_to(proxy, "\x05\x02\x00\x01\x7F\x00\x00\x01\x00\x50"s), 7);
  EXPECT_EQ(reply_to(proxy, "\x05\x03\x00\x01\x7F\x00\x00\x01\x00\x50"s), 7);
  EXPECT_EQ(reply_to(proxy, "\x05\x01\x01\x01\x7F\x00\x00\x01\x00\x50"s), 1);
  EXPECT_EQ(reply_to(proxy, "\x05\x01\x00\x04"s + std::string(15, '\0') + "\x01\x00\x50"s), 8);
  EXPECT_EQ(reply_to(proxy, name_request("a.test:80", 80)), 1);
  EXPECT_EQ(reply_to(proxy, name_request("a b", 80)), 1);
  EXPECT_EQ(reply_to(proxy, name_request("a.test", 0)), 1);
  EXPECT_THAT(proxy.events(), IsEmpty());

  EXPECT_EQ(reply_to(proxy, name_request("other.test", 80)), 2);
  EXPECT_EQ(reply_to(proxy, name_request("gone.test", 80)), 4);
  EXPECT_THAT(proxy.events(), ElementsAre("other.test:80 not_allowed", "gone.test:80 allowed"));
}

TEST(Socks, RepliesThatAConnectionWasRefused) {
  const std::uint16_t port = closed_port();
  const ProxyUnderTest proxy(allow({"127.0.0.1:" + std::to_string(port)}));
  EXPECT_EQ(reply_to(proxy, address_request(port)), 5);
}

TEST(Socks, RefusesPrivateAddresses) {
  ProxyUnderTest proxy(allow_public());
  proxy.resolver().add("inner.test", {0x0A000001});
  EXPECT_EQ(reply_to(proxy, address_request(80)), 2);
  EXPECT_EQ(reply_to(proxy, name_request("inner.test", 80)), 2);
  EXPECT_EQ(reply_to(proxy, name_request("192.168.0.1", 80)), 2);
  EXPECT_THAT(proxy.events(), ElementsAre("127.0.0.1:80 private_address", "inner.test:80 private_address",
                                          "192.168.0.1:80 private_address"));
}

TEST(Socks, ChoosesNoAuthenticationAmongOthers) {
  const ProxyUnderTest proxy(allow({"a.test"}));
  std::string all = "\x05\xFF"s;
  for (int method = 254; method >= 0; --method) all.push_back(static_cast<char>(method));
  for (const std::string& methods : {"\x05\x02\x02\x00"s, "\x05\x03\x00\x01\x02"s, all}) {
    Peer client = proxy.connect();
    client.send_byte_by_byte(methods);
    EXPECT_EQ(client.receive(2).bytes, "\x05\x00"s);
  }
}

TEST(Socks, IsOfVersion5Alone) {
  const ProxyUnderTest proxy(allow({"a.test"}));
  EXPECT_EQ(status_of(proxy.answer_to("\x04\x01\x00\x50\x7F\x00\x00\x01\x00"s)), 400) << "SOCKS4: neither one nor HTTP";
  EXPECT_EQ(reply_to(proxy, "\x04\x01\x00\x01\x7F\x00\x00\x01\x00\x50"s), 1);
  EXPECT_THAT(proxy.events(), IsEmpty());
}

TEST(Socks, RepliesAsSoonAsItKnowsThatItRefuses) {
  const ProxyUnderTest proxy(allow({"a.test"}));
  EXPECT_EQ(reply_to(proxy, "\x05\x02\x00\x03"s), 7) << "BIND";
  EXPECT_EQ(reply_to(proxy, "\x05\x03\x00\x01"s), 7) << "UDP";
  EXPECT_EQ(reply_to(proxy, "\x05\x01\xFF\x01"s), 1) << "the reserved byte";
  EXPECT_EQ(reply_to(proxy, "\x05\x01\x00\x04"s), 8) << "IPv6";
  EXPECT_EQ(reply_to(proxy, "\x05\x01\x00\x00"s), 8) << "no address type";
  EXPECT_THAT(proxy.events(), IsEmpty());
}

TEST(Socks, ClosesWithoutAWordWhenItIsCutShort) {
  const ProxyUnderTest proxy(allow({"a.test"}));
  const std::string whole = greeting + name_request("a.test", 443);
  for (std::size_t size = 1; size < whole.size(); ++size) {
    Peer client = proxy.connect();
    client.send(whole.substr(0, size));
    client.shutdown_sending();
    const Received received = client.receive_all();
    EXPECT_EQ(received.bytes, size < greeting.size() ? ""s : "\x05\x00"s) << size;
    EXPECT_NE(received.ending, Ending::too_late) << size;
  }
  EXPECT_THAT(proxy.events(), IsEmpty());
}

TEST(Socks, TakesNothingBehindARefusedRequestForAnother) {
  const ProxyUnderTest proxy(allow({"a.test"}));
  Peer client = proxy.connect();
  client.send(greeting + name_request("b.test", 443) + name_request("c.test", 443));
  EXPECT_EQ(client.receive_all().bytes, "\x05\x00\x05\x02\x00\x01\x00\x00\x00\x00\x00\x00"s);
  EXPECT_THAT(proxy.events(), ElementsAre("b.test:443 not_allowed"));
}

TEST(Socks, ClosesALateClientWithoutAWord) {
  Timeouts timeouts;
  timeouts.head = std::chrono::milliseconds(150);
  const ProxyUnderTest proxy(allow({"a.test"}), timeouts);
  for (const std::string& start : {"\x05"s, greeting, greeting + "\x05\x01\x00\x03\x0A"s + "late"}) {
    Peer client = proxy.connect();
    client.send(start);
    const Received received = client.receive_all();
    EXPECT_EQ(received.bytes, start.size() < 3 ? ""s : "\x05\x00"s);
    EXPECT_NE(received.ending, Ending::too_late);
  }
}

}  // namespace
}  // namespace agentrun::proxy::test
