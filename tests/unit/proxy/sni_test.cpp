#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sni_filter.hpp"
#include "support/client_hello.hpp"
#include "support/proxy_under_test.hpp"

namespace agentrun::proxy::test {
namespace {

using namespace std::string_literals;
using ::testing::ElementsAre;

constexpr SniCheck checks[] = {SniCheck::lenient, SniCheck::strict};
const std::string alert = "\x15\x03\x03\x00\x02\x02\x70"s;

bool passes(SniCheck check, const char* host, const std::optional<std::string>& name) {
  return may_pass(check, parse_host(host).value(), name);
}

TEST(SniRule, TakesTheJudgedHostAlone) {
  for (const SniCheck check : checks) {
    for (const char* name : {"a.test", "A.TEST", "a.test."}) EXPECT_TRUE(passes(check, "a.test", name)) << name;
    for (const char* name : {"b.test", "x.a.test", "a.test.evil", "test", "", "1.2.3.4", "a_test", "a.test:443"})
      EXPECT_FALSE(passes(check, "a.test", name)) << name;
    EXPECT_FALSE(passes(check, "a.test", "a.test\0.b.test"s));
  }
}

TEST(SniRule, ASilentHelloPassesOnlyWhenLenientOrToAnAddress) {
  EXPECT_TRUE(passes(SniCheck::lenient, "a.test", std::nullopt));
  EXPECT_FALSE(passes(SniCheck::strict, "a.test", std::nullopt));
  for (const SniCheck check : checks) {
    EXPECT_TRUE(passes(check, "1.2.3.4", std::nullopt));
    EXPECT_FALSE(passes(check, "1.2.3.4", "a.test"));
  }
}

/// A proxy that checks, and a tunnel through it to "a.test", whose bytes come out at `origin`.
struct Checked {
  explicit Checked(SniCheck check) : proxy(allow({origin.authority("a.test"), origin.authority()}), with(check)) {
    proxy.resolver().add("a.test", {loopback});
  }

  static Options with(SniCheck check) {
    Options options;
    options.check_sni = check;
    return options;
  }

  void expect_passed(const std::string& bytes, const std::string& host = "a.test") {
    Peer client = proxy.tunnel(origin.authority(host));
    Peer upstream = origin.accept();
    client.send(bytes);
    EXPECT_EQ(upstream.receive(bytes.size()).bytes, bytes);
    client.send("more");
    EXPECT_EQ(upstream.receive(4).bytes, "more");
    upstream.send("back");
    EXPECT_EQ(client.receive(4).bytes, "back");
  }

  void expect_refused(const std::string& bytes, const std::string& last_words) {
    Peer client = proxy.tunnel(origin.authority("a.test"));
    Peer upstream = origin.accept();
    client.send(bytes);
    const Received received = client.receive_all();
    EXPECT_EQ(received.bytes, last_words);
    EXPECT_EQ(received.ending, Ending::orderly);
    EXPECT_EQ(upstream.receive_all().bytes, "") << "not a byte goes on";
  }

  Origin origin;
  ProxyUnderTest proxy;
};

TEST(SniCheckOff, LooksAtNothing) {
  Checked off(SniCheck::off);
  off.expect_passed(client_hello("b.test"));
  off.expect_passed("\x16nonsense");
}

TEST(SniCheck, LetsTheJudgedNamePass) {
  for (const SniCheck check : checks) {
    Checked checked(check);
    checked.expect_passed(client_hello("a.test"));
    checked.expect_passed(client_hello("A.Test.") + "early data");
    checked.expect_passed(client_hello(""), "127.0.0.1");
    EXPECT_THAT(checked.proxy.events(),
                ElementsAre(checked.origin.authority("a.test") + " allowed", checked.origin.authority() + " allowed"));
  }
}

TEST(SniCheck, ClosesATunnelThatNamesAnotherHost) {
  for (const SniCheck check : checks) {
    Checked checked(check);
    checked.expect_refused(client_hello("b.test"), alert);
    checked.expect_refused(client_hello("b.test") + "early data", alert);
    checked.expect_refused(handshake_record("\x02nonsense"), alert);
    EXPECT_THAT(checked.proxy.events(), ElementsAre(checked.origin.authority("a.test") + " allowed",
                                                    checked.origin.authority("a.test") + " sni_mismatch"));
  }
}

TEST(SniCheck, LetsWhatNamesNothingPassWhenLenient) {
  Checked checked(SniCheck::lenient);
  checked.expect_passed(client_hello(""));
  checked.expect_passed("GET / HTTP/1.1\r\n\r\n");
  checked.expect_passed("SSH-2.0-x\r\n");
}

TEST(SniCheck, ClosesWhatNamesNothingWhenStrict) {
  Checked checked(SniCheck::strict);
  checked.expect_refused(client_hello(""), alert);
  checked.expect_refused("GET / HTTP/1.1\r\n\r\n", "");
  checked.expect_refused("SSH-2.0-x\r\n", "");
}

TEST(SniCheck, HoldsAHelloInPiecesUntilItIsWhole) {
  Checked checked(SniCheck::strict);
  const std::string hello = client_hello("a.test");
  Peer client = checked.proxy.tunnel(checked.origin.authority("a.test"));
  Peer upstream = checked.origin.accept();
  client.send_byte_by_byte(hello.substr(0, hello.size() - 1));
  EXPECT_TRUE(upstream.is_quiet(100));
  client.send(hello.substr(hello.size() - 1));
  EXPECT_EQ(upstream.receive(hello.size()).bytes, hello);
}

TEST(SniCheck, SeesAHelloThatComesWithTheRequest) {
  for (const bool is_named : {true, false}) {
    Checked checked(SniCheck::strict);
    const std::string hello = client_hello(is_named ? "a.test" : "b.test");
    for (std::size_t with_request : {hello.size(), std::size_t{10}}) {
      Peer client = checked.proxy.connect();
      client.send(connect_request(checked.origin.authority("a.test")) + hello.substr(0, with_request));
      Peer upstream = checked.origin.accept();
      EXPECT_EQ(status_of(client.receive_through("\r\n\r\n")), 200);
      if (with_request < hello.size()) client.send(hello.substr(with_request));
      if (is_named) {
        EXPECT_EQ(upstream.receive(hello.size()).bytes, hello);
      } else {
        EXPECT_EQ(client.receive_all().bytes, alert);
        EXPECT_EQ(upstream.receive_all().bytes, "");
      }
    }
  }
}

TEST(SniCheck, HoldsForSocksToo) {
  Checked checked(SniCheck::lenient);
  const std::uint16_t port = checked.origin.port();
  Peer client = checked.proxy.connect();
  client.send("\x05\x01\x00\x05\x01\x00\x03\x06"s + "a.test" + static_cast<char>(port >> 8) +
              static_cast<char>(port & 0xFF) + client_hello("b.test"));
  EXPECT_EQ(client.receive_all().bytes, "\x05\x00\x05\x00\x00\x01\x00\x00\x00\x00\x00\x00"s + alert);
  EXPECT_EQ(checked.origin.accept().receive_all().bytes, "");
}

TEST(SniCheck, LetsAServerSpeakFirst) {
  Checked checked(SniCheck::lenient);
  Peer client = checked.proxy.tunnel(checked.origin.authority("a.test"));
  Peer upstream = checked.origin.accept();
  upstream.send("220 hello\r\n");
  EXPECT_EQ(client.receive(11).bytes, "220 hello\r\n");
  client.send("EHLO x\r\n");
  EXPECT_EQ(upstream.receive(8).bytes, "EHLO x\r\n");
}

TEST(SniCheck, PassesAHelloThatIsCutShortOnlyWhenLenient) {
  for (const SniCheck check : checks) {
    Checked checked(check);
    Peer client = checked.proxy.tunnel(checked.origin.authority("a.test"));
    Peer upstream = checked.origin.accept();
    client.send("\x16\x03\x01");
    client.shutdown_sending();
    const Received received = upstream.receive_all();
    EXPECT_EQ(received.bytes, check == SniCheck::lenient ? "\x16\x03\x01" : "");
    EXPECT_EQ(received.ending, Ending::orderly);
  }
}

TEST(SniCheck, PassesAnEndWithoutAByte) {
  for (const SniCheck check : checks) {
    Checked checked(check);
    Peer client = checked.proxy.tunnel(checked.origin.authority("a.test"));
    Peer upstream = checked.origin.accept();
    client.shutdown_sending();
    EXPECT_EQ(upstream.receive_all().ending, Ending::orderly);
    upstream.send("rest");
    EXPECT_EQ(client.receive(4).bytes, "rest");
  }
}

TEST(SniCheck, HoldsBehindAnUpstreamProxy) {
  Origin upstream;
  Options options = Checked::with(SniCheck::strict);
  Environment environment;
  environment.set("https_proxy", upstream.authority());
  options.upstream = read_upstream(environment).upstream;
  const ProxyUnderTest proxy(allow({"a.test"}), options);
  Peer client = proxy.connect();
  client.send(connect_request("a.test:443"));
  Peer server = upstream.accept();
  (void)server.receive_through("\r\n\r\n");
  server.send("HTTP/1.1 200 OK\r\n\r\n");
  (void)client.receive_through("\r\n\r\n");
  client.send(client_hello("b.test"));
  EXPECT_EQ(client.receive_all().bytes, alert);
  EXPECT_EQ(server.receive_all().bytes, "");
}

TEST(SniCheck, LeavesPlainHttpAlone) {
  Checked checked(SniCheck::strict);
  Peer client = checked.proxy.connect();
  client.send("POST http://" + checked.origin.authority("a.test") + "/ HTTP/1.0\r\nContent-Length: 3\r\n\r\n\x16xy");
  Peer upstream = checked.origin.accept();
  (void)upstream.receive_through("\r\n\r\n");
  EXPECT_EQ(upstream.receive(3).bytes, "\x16xy");
}

}  // namespace
}  // namespace agentrun::proxy::test
