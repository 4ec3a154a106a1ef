// The proxy with a proxy behind it, played by hand.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "basic_authorization.hpp"
#include "support/proxy_under_test.hpp"

namespace agentrun::proxy::test {
namespace {

using namespace std::string_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr std::uint32_t public_address = 0xC6120001;  // 198.18.0.1: public by the rules, routed nowhere

Options through(const std::string& url, const std::string& no_proxy = "") {
  Environment environment;
  environment.set("all_proxy", url);
  environment.set("no_proxy", no_proxy);
  Options options;
  options.upstream = read_upstream(environment).upstream;
  return options;
}

Options through(const Origin& upstream, const std::string& no_proxy = "") {
  return through("http://" + upstream.authority(), no_proxy);
}

std::string established_behind(Peer& peer) { return peer.receive_through("\r\n\r\n"); }

const std::string connect_a = connect_request("a.test:443");

/// The body that a client gets when the upstream proxy answers its CONNECT with `answer` and closes.
std::string body_when_upstream_says(const std::string& answer) {
  Origin upstream;
  const ProxyUnderTest proxy(allow({"a.test"}), through(upstream));
  Peer client = proxy.connect();
  client.send(connect_a);
  Peer server = upstream.accept();
  (void)server.receive_through("\r\n\r\n");
  server.send(answer);
  server.close();
  const std::string whole = client.receive_all().bytes;
  EXPECT_EQ(status_of(whole), 502);
  return body_of(whole);
}

TEST(UpstreamTunnels, AskTheUpstreamByName) {
  Origin upstream;
  ProxyUnderTest proxy(allow({"a.test"}), through("http://us%65r:p%40ss@" + upstream.authority()));
  Peer client = proxy.connect();
  client.send("CONNECT A.Test.:443 HTTP/1.0\r\nProxy-Authorization: Basic bWluZQ==\r\nX: y\r\n\r\nearly");
  Peer server = upstream.accept();
  EXPECT_EQ(server.receive_through("\r\n\r\n"),
            "CONNECT a.test:443 HTTP/1.1\r\nHost: a.test:443\r\nProxy-Authorization: Basic " + base64("user:p@ss") +
                "\r\n\r\n");
  EXPECT_TRUE(client.is_quiet(50)) << "no tunnel before the answer";
  server.send("HTTP/1.0 299 Fine\r\nVia : 1.1 secret.corp\r\n folded\r\n\r\nfirst");
  EXPECT_EQ(established_behind(client), "HTTP/1.1 200 Connection established\r\n\r\n");
  EXPECT_EQ(client.receive(5).bytes, "first");
  EXPECT_EQ(server.receive(5).bytes, "early");
  client.send("ping");
  EXPECT_EQ(server.receive(4).bytes, "ping");
  client.shutdown_sending();
  EXPECT_EQ(server.receive_all().ending, Ending::orderly);
  server.send("rest");
  server.close();
  EXPECT_EQ(client.receive_all().bytes, "rest");
  EXPECT_THAT(proxy.resolver().asked(), IsEmpty()) << "an exact rule needs no address";
  EXPECT_THAT(proxy.events(), ElementsAre("a.test:443 allowed"));
}

TEST(UpstreamTunnels, ServeSocksToo) {
  Origin upstream;
  const ProxyUnderTest proxy(allow({"a.test"}), through(upstream));
  Peer client = proxy.connect();
  client.send("\x05\x01\x00\x05\x01\x00\x03\x06"s + "a.test" + "\x01\xBB"s + "early");
  Peer server = upstream.accept();
  EXPECT_EQ(server.receive_through("\r\n\r\n"), connect_a);
  server.send("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n\r\nfirst");
  EXPECT_EQ(client.receive(17).bytes, "\x05\x00\x05\x00\x00\x01\x00\x00\x00\x00\x00\x00"s + "first");
  EXPECT_EQ(server.receive(5).bytes, "early");
}

TEST(UpstreamTunnels, OpenByAnAnswerByteByByte) {
  Origin upstream;
  const ProxyUnderTest proxy(allow({"a.test"}), through(upstream));
  Peer client = proxy.connect();
  client.send(connect_a);
  Peer server = upstream.accept();
  server.send_byte_by_byte("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nA: b\r\n\r\nx");
  EXPECT_EQ(established_behind(client), "HTTP/1.1 200 Connection established\r\n\r\n");
  EXPECT_EQ(client.receive(1).bytes, "x");
}

TEST(UpstreamFailures, AreNamedByTheirCause) {
  const std::string about = "agentrun: a.test:443 upstream proxy ";
  EXPECT_EQ(body_when_upstream_says(""), about + "closed the connection");
  EXPECT_EQ(body_when_upstream_says("HTTP/1.1 200 OK\r\nVia: secret.corp\r\n"), about + "closed the connection");
  EXPECT_EQ(body_when_upstream_says("HTTP/1.1 100 Continue\r\n\r\n"), about + "closed the connection");
  EXPECT_EQ(body_when_upstream_says("HTTP/1.1 407 secret.corp\r\n\r\nsecret"), about + "answered 407");
  EXPECT_EQ(body_when_upstream_says("HTTP/1.1 302 Found\r\nLocation: http://secret/\r\n\r\n"), about + "answered 302");
  EXPECT_EQ(body_when_upstream_says("SSH-2.0-secret\r\n"), about + "answered an invalid response");
  EXPECT_EQ(body_when_upstream_says("HTTP/1.1 200 OK\r\nX: " + std::string(65536, 'x')),
            about + "answered an invalid response");
}

TEST(UpstreamFailures, AConnectionThatIsRefused) {
  const std::string port = std::to_string(closed_port());
  const ProxyUnderTest proxy(allow({"a.test"}), through("http://127.0.0.1:" + port));
  const std::string cause = " upstream proxy connection failed (Connection refused)";
  EXPECT_EQ(body_of(proxy.answer_to(connect_a)), "agentrun: a.test:443" + cause);
  EXPECT_EQ(body_of(proxy.answer_to("GET http://a.test/ HTTP/1.0\r\n\r\n")), "agentrun: a.test:80" + cause);
}

TEST(UpstreamFailures, AnUpstreamWithoutAnAddress) {
  ProxyUnderTest proxy(allow({"a.test"}), through("http://secret.corp:3128"));
  const std::string answer = proxy.answer_to(connect_a);
  EXPECT_EQ(body_of(answer), "agentrun: a.test:443 upstream proxy connection failed (Name or service not known)");
  EXPECT_THAT(answer, Not(HasSubstr("secret")));
  EXPECT_THAT(proxy.resolver().asked(), ElementsAre("secret.corp"));
}

TEST(UpstreamFailures, AReset) {
  Origin upstream;
  const ProxyUnderTest proxy(allow({"a.test"}), through(upstream));
  for (const auto& [request, authority] :
       {std::pair{connect_a, "a.test:443"}, std::pair{"GET http://a.test/ HTTP/1.0\r\n\r\n"s, "a.test:80"}}) {
    Peer client = proxy.connect();
    client.send(request);
    Peer server = upstream.accept();
    (void)server.receive_through("\r\n\r\n");
    server.reset();
    EXPECT_EQ(body_of(client.receive_all().bytes),
              "agentrun: "s + authority + " upstream proxy connection failed (Connection reset by peer)");
  }
}

TEST(UpstreamFailures, AnAnswerThatComesTooLate) {
  Origin upstream;
  Options options = through(upstream);
  options.timeouts.upstream_answer = std::chrono::milliseconds(150);
  const ProxyUnderTest proxy(allow({"a.test"}), options);
  for (const char* start : {"", "HTTP/1.1 200 OK\r\nA", "HTTP/1.1 100 Continue\r\n\r\n"}) {
    Peer client = proxy.connect();
    client.send(connect_a);
    Peer server = upstream.accept();
    server.send(start);
    EXPECT_EQ(body_of(client.receive_all().bytes), "agentrun: a.test:443 upstream proxy did not answer in time");
    EXPECT_NE(server.receive_all().ending, Ending::too_late);
  }
}

TEST(UpstreamFailures, InterimAnswersWithoutEnd) {
  Origin upstream;
  Options options = through(upstream);
  options.timeouts.upstream_answer = std::chrono::milliseconds(150);
  const ProxyUnderTest proxy(allow({"a.test"}), options);
  Peer client = proxy.connect();
  client.send(connect_a);
  Peer server = upstream.accept();
  std::string much;
  for (int i = 0; i < 4000; ++i) much += "HTTP/1.1 100 Continue\r\n\r\n";
  while (server.try_send(much)) {
  }
  EXPECT_EQ(body_of(client.receive_all().bytes), "agentrun: a.test:443 upstream proxy did not answer in time");
}

TEST(UpstreamFailures, AreOneReplyCodeOfSocks) {
  const std::string request = "\x05\x01\x00\x05\x01\x00\x03\x06"s + "a.test" + "\x01\xBB"s;
  const std::string failed = "\x05\x00\x05\x01\x00\x01\x00\x00\x00\x00\x00\x00"s;
  const ProxyUnderTest to_closed(allow({"a.test"}), through("127.0.0.1:" + std::to_string(closed_port())));
  EXPECT_EQ(to_closed.answer_to(request), failed);
  const ProxyUnderTest to_nowhere(allow({"a.test"}), through("gone.test"));
  EXPECT_EQ(to_nowhere.answer_to(request), failed);

  Origin upstream;
  const ProxyUnderTest proxy(allow({"a.test"}), through(upstream));
  for (const char* answer : {"", "HTTP/1.1 403 No\r\n\r\n", "nonsense\r\n"}) {
    Peer client = proxy.connect();
    client.send(request);
    Peer server = upstream.accept();
    (void)server.receive_through("\r\n\r\n");
    server.send(answer);
    server.close();
    EXPECT_EQ(client.receive_all().bytes, failed);
  }
}

TEST(UpstreamForwarding, SendsTheAbsoluteForm) {
  Origin upstream;
  ProxyUnderTest proxy(allow({"a.test", "a.test:8080"}), through("http://u:p@" + upstream.authority()));
  struct Row {
    std::string line;
    std::string sent;
    std::string host;
  };
  for (const Row& row : {Row{"GET http://A.test.:80/x?y", "GET http://a.test/x?y HTTP/1.1", "a.test"},
                         Row{"GET http://a.test:8080", "GET http://a.test:8080/ HTTP/1.1", "a.test:8080"},
                         Row{"OPTIONS http://a.test", "OPTIONS http://a.test HTTP/1.1", "a.test"},
                         Row{"OPTIONS http://a.test/", "OPTIONS http://a.test/ HTTP/1.1", "a.test"},
                         Row{"M http://a.test?q", "M http://a.test/?q HTTP/1.1", "a.test"}}) {
    Peer client = proxy.connect();
    client.send(row.line + " HTTP/1.1\r\nHost: evil.test\r\nProxy-Authorization: Basic bWluZQ==\r\nX: y\r\n\r\n");
    Peer server = upstream.accept();
    EXPECT_EQ(server.receive_through("\r\n\r\n"), row.sent + "\r\nProxy-Authorization: Basic " + base64("u:p") +
                                                      "\r\nHost: " + row.host +
                                                      "\r\nX: y\r\nConnection: close\r\n\r\n");
    server.send("HTTP/1.1 200 OK\r\nProxy-Connection: close\r\n\r\nhello");
    server.close();
    EXPECT_EQ(client.receive_all().bytes, "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nhello");
  }
  EXPECT_THAT(proxy.resolver().asked(), IsEmpty());
}

TEST(UpstreamForwarding, CarriesTheBodyAndDropsTheRest) {
  Origin upstream;
  const ProxyUnderTest proxy(allow({"a.test"}), through(upstream));
  Peer client = proxy.connect();
  client.send("POST http://a.test/ HTTP/1.0\r\nContent-Length: 6\r\n\r\n123");
  Peer server = upstream.accept();
  EXPECT_EQ(server.receive_through("\r\n\r\n"),
            "POST http://a.test/ HTTP/1.0\r\nHost: a.test\r\nContent-Length: 6\r\nConnection: close\r\n\r\n");
  client.send("456GET http://evil.test/ HTTP/1.0\r\n\r\n");
  EXPECT_EQ(server.receive(6).bytes, "123456");
  EXPECT_TRUE(server.is_quiet(100));
}

TEST(UpstreamForwarding, NamesTheCauseWhenThereIsNoAnswer) {
  struct Row {
    std::string answer;
    std::string cause;
  };
  for (const Row& row : {Row{"", "closed the connection"}, Row{"HTTP/1.1 200 OK\r\n", "closed the connection"},
                         Row{"nonsense\r\n", "answered an invalid response"},
                         Row{"HTTP/1.1 407 X\r\nProxy-Authenticate: Basic\r\n\r\nsecret.corp", "answered 407"}}) {
    Origin upstream;
    const ProxyUnderTest proxy(allow({"a.test"}), through(upstream));
    Peer client = proxy.connect();
    client.send("GET http://a.test/ HTTP/1.0\r\n\r\n");
    Peer server = upstream.accept();
    (void)server.receive_through("\r\n\r\n");
    server.send(row.answer);
    server.close();
    const std::string answer = client.receive_all().bytes;
    EXPECT_EQ(status_of(answer), 502);
    EXPECT_EQ(body_of(answer), "agentrun: a.test:80 upstream proxy " + row.cause);
  }
}

TEST(UpstreamForwarding, PassesOtherAnswersOfTheUpstreamOn) {
  Origin upstream;
  const ProxyUnderTest proxy(allow({"a.test"}), through(upstream));
  Peer client = proxy.connect();
  client.send("GET http://a.test/ HTTP/1.0\r\n\r\n");
  Peer server = upstream.accept();
  server.send("HTTP/1.1 503 Busy\r\n\r\nlater");
  server.close();
  EXPECT_EQ(client.receive_all().bytes, "HTTP/1.1 503 Busy\r\nConnection: close\r\n\r\nlater");
}

TEST(UpstreamPolicy, DecidesFirst) {
  Origin upstream;
  ProxyUnderTest proxy(allow({"a.test"}), through(upstream));
  EXPECT_EQ(status_of(proxy.answer_to(connect_request("b.test:443"))), 403);
  EXPECT_EQ(status_of(proxy.answer_to(connect_request("[::1]:443"))), 403);
  EXPECT_EQ(status_of(proxy.answer_to(connect_request("a.test:22"))), 403);
  EXPECT_EQ(status_of(proxy.answer_to("GET http://b.test/ HTTP/1.0\r\n\r\n")), 403);
  EXPECT_EQ(status_of(proxy.answer_to("POST http://a.test/ HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n")), 411);
  EXPECT_TRUE(upstream.is_quiet(0));
}

TEST(UpstreamPolicy, ChecksPrivateAddressesByTheLocalAnswer) {
  Origin upstream;
  ProxyUnderTest proxy(allow_public(), through(upstream));
  proxy.resolver().add("mixed.test", {public_address, 0x0A000001});
  for (const char* host : {"mixed.test", "10.0.0.1", "169.254.169.254"}) {
    EXPECT_EQ(status_of(proxy.answer_to(connect_request(std::string(host) + ":443"))), 403) << host;
    EXPECT_EQ(status_of(proxy.answer_to("GET http://" + std::string(host) + "/ HTTP/1.0\r\n\r\n")), 403) << host;
  }
  EXPECT_TRUE(upstream.is_quiet(0));
}

TEST(UpstreamPolicy, LeavesANameThatDoesNotResolveHereToTheUpstream) {
  Origin upstream;
  ProxyUnderTest proxy(allow_public(), through(upstream));
  proxy.resolver().add("public.test", {public_address});
  for (const char* host : {"unknown.test", "public.test"}) {
    const std::string request = connect_request(std::string(host) + ":443");
    Peer client = proxy.connect();
    client.send(request);
    Peer server = upstream.accept();
    EXPECT_EQ(server.receive_through("\r\n\r\n"), request) << "by name, not by address";
    server.send("HTTP/1.1 200 OK\r\n\r\n");
    EXPECT_EQ(status_of(established_behind(client)), 200);
  }
  EXPECT_THAT(proxy.resolver().asked(), ElementsAre("unknown.test", "public.test"));
}

TEST(UpstreamPolicy, GoesDirectToTheHostsOfNoProxy) {
  Origin upstream;
  Origin origin;
  const std::string port = std::to_string(origin.port());
  ProxyUnderTest proxy(allow({"*.inner.test:" + port, "near.test:" + port, "gone.test:" + port, origin.authority()}),
                       through(upstream, "near.test:" + port + ",gone.test,127.0.0.0/8"));
  proxy.resolver().add("near.test", {loopback});
  for (const char* host : {"near.test", "127.0.0.1"}) {
    (void)proxy.tunnel(origin.authority(host));
    (void)origin.accept();
  }
  Peer client = proxy.connect();
  client.send("GET http://" + origin.authority("near.test") + "/ HTTP/1.0\r\n\r\n");
  EXPECT_THAT(origin.accept().receive_through("\r\n"), "GET / HTTP/1.0\r\n");
  EXPECT_EQ(body_of(proxy.answer_to(connect_request(origin.authority("gone.test")))),
            "agentrun: gone.test:" + port + " could not be resolved");
  EXPECT_TRUE(upstream.is_quiet(0));
}

TEST(UpstreamPolicy, EachKindOfTrafficHasItsOwnUpstream) {
  Origin for_tunnels;
  Origin for_plain;
  Environment environment;
  environment.set("https_proxy", for_tunnels.authority());
  environment.set("http_proxy", for_plain.authority());
  Options options;
  options.upstream = read_upstream(environment).upstream;
  const ProxyUnderTest proxy(allow({"a.test"}), options);
  Peer tunnel = proxy.connect();
  tunnel.send(connect_a);
  EXPECT_THAT(for_tunnels.accept().receive_through("\r\n"), "CONNECT a.test:443 HTTP/1.1\r\n");
  Peer plain = proxy.connect();
  plain.send("GET http://a.test/ HTTP/1.0\r\n\r\n");
  EXPECT_THAT(for_plain.accept().receive_through("\r\n"), "GET http://a.test/ HTTP/1.0\r\n");
}

TEST(UpstreamEnd, IsClosedWithTheProxyWhileItAnswers) {
  Origin upstream;
  Options options = through(upstream);
  auto proxy = Proxy::start(allow({"a.test"}), options, nullptr);
  ASSERT_TRUE(proxy);
  Peer client = Peer::connect((*proxy)->port());
  client.send(connect_a);
  Peer server = upstream.accept();
  (void)server.receive_through("\r\n\r\n");
  proxy->reset();
  EXPECT_NE(client.receive_all().ending, Ending::too_late);
  EXPECT_NE(server.receive_all().ending, Ending::too_late);
}

}  // namespace
}  // namespace agentrun::proxy::test
