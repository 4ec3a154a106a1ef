#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/proxy_under_test.hpp"

namespace agentrun::proxy::test {
namespace {

using ::testing::HasSubstr;

std::string get(const Origin& origin, const std::string& path = "/") {
  return "GET http://" + origin.authority() + path + " HTTP/1.1\r\nHost: " + origin.authority() + "\r\n\r\n";
}

std::string post(const Origin& origin, std::size_t length) {
  return "POST http://" + origin.authority() + "/ HTTP/1.1\r\nHost: x\r\nContent-Length: " + std::to_string(length) +
         "\r\n\r\n";
}

TEST(Forwarding, CarriesOneExchange) {
  Origin origin;
  const ProxyUnderTest proxy(allow({origin.authority()}));
  Peer client = proxy.connect();
  client.send("GET http://" + origin.authority() + "/a?b HTTP/1.1\r\nHost: evil.test\r\nProxy-Connection: x\r\n\r\n");
  Peer upstream = origin.accept();
  EXPECT_EQ(upstream.receive_through("\r\n\r\n"),
            "GET /a?b HTTP/1.1\r\nHost: " + origin.authority() + "\r\nConnection: close\r\n\r\n");
  upstream.send("HTTP/1.1 200 OK\r\nConnection: keep-alive\r\nContent-Length: 5\r\n\r\nhello");
  upstream.close();
  const Received received = client.receive_all();
  EXPECT_EQ(received.bytes, "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello");
  EXPECT_EQ(received.ending, Ending::orderly);
}

TEST(Forwarding, SendsTheBodyAndDropsWhatComesBehindIt) {
  Origin origin;
  const ProxyUnderTest proxy(allow({origin.authority()}));
  for (const bool at_once : {true, false}) {
    Peer client = proxy.connect();
    const std::string rest = "456789" + get(origin, "/smuggled");
    if (at_once) {
      client.send(post(origin, 9) + "123" + rest);
    } else {
      client.send(post(origin, 9) + "123");
      client.send_byte_by_byte(rest);
    }
    Peer upstream = origin.accept();
    (void)upstream.receive_through("\r\n\r\n");
    EXPECT_EQ(upstream.receive(9).bytes, "123456789");
    EXPECT_TRUE(upstream.is_quiet(100));
    upstream.send("HTTP/1.1 204 None\r\n\r\n");
    upstream.close();
    EXPECT_EQ(status_of(client.receive_all().bytes), 204);
    EXPECT_TRUE(origin.is_quiet(0));
  }
}

TEST(Forwarding, DropsWhatFollowsARequestWithoutABody) {
  Origin origin;
  const ProxyUnderTest proxy(allow({origin.authority()}));
  Peer client = proxy.connect();
  client.send(get(origin) + get(origin, "/smuggled"));
  Peer upstream = origin.accept();
  (void)upstream.receive_through("\r\n\r\n");
  EXPECT_TRUE(upstream.is_quiet(100));
}

TEST(Forwarding, CarriesBigBodiesBothWays) {
  Origin origin;
  const ProxyUnderTest proxy(allow({origin.authority()}));
  const std::string body(8 << 20, 'b');
  Peer client = proxy.connect();
  std::thread sender([&] { client.send(post(origin, body.size()) + body); });
  Peer upstream = origin.accept();
  (void)upstream.receive_through("\r\n\r\n");
  EXPECT_EQ(upstream.receive(body.size()).bytes, body);
  sender.join();
  std::thread answerer([&] {
    upstream.send("HTTP/1.1 200 OK\r\n\r\n" + body);
    upstream.close();
  });
  EXPECT_EQ(body_of(client.receive_all().bytes), body);
  answerer.join();
}

TEST(Forwarding, TakesAnAnswerByteByByte) {
  Origin origin;
  const ProxyUnderTest proxy(allow({origin.authority()}));
  Peer client = proxy.connect();
  client.send(get(origin));
  Peer upstream = origin.accept();
  (void)upstream.receive_through("\r\n\r\n");
  upstream.send_byte_by_byte("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n\r\nbody");
  upstream.close();
  EXPECT_EQ(client.receive_all().bytes,
            "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nConnection: close\r\n\r\nbody");
}

TEST(Forwarding, PassesAnInterimAnswerBeforeTheBodyIsSent) {
  Origin origin;
  const ProxyUnderTest proxy(allow({origin.authority()}));
  Peer client = proxy.connect();
  client.send(post(origin, 4));
  Peer upstream = origin.accept();
  (void)upstream.receive_through("\r\n\r\n");
  upstream.send("HTTP/1.1 100 Continue\r\n\r\n");
  EXPECT_EQ(client.receive_through("\r\n\r\n"), "HTTP/1.1 100 Continue\r\n\r\n");
  client.send("body");
  EXPECT_EQ(upstream.receive(4).bytes, "body");
}

TEST(Forwarding, PassesAnAnswerThatComesBeforeTheBodyIsSent) {
  Origin origin;
  const ProxyUnderTest proxy(allow({origin.authority()}));
  Peer client = proxy.connect();
  client.send(post(origin, 1'000'000));
  Peer upstream = origin.accept();
  (void)upstream.receive_through("\r\n\r\n");
  upstream.send("HTTP/1.1 413 Too Much\r\nContent-Length: 0\r\n\r\n");
  upstream.close();
  const Received received = client.receive_all();
  EXPECT_EQ(status_of(received.bytes), 413);
  EXPECT_EQ(received.ending, Ending::orderly);
}

struct NoAnswer {
  const char* what;
  std::string sent;
  std::string cause;
};

TEST(Forwarding, SaysThatTheOriginGaveNoAnswer) {
  const NoAnswer rows[] = {
      {"nothing", "", "closed the connection without an answer"},
      {"half a head", "HTTP/1.1 200 OK\r\nA: b", "closed the connection without an answer"},
      {"only an interim answer", "HTTP/1.1 100 Continue\r\n\r\n", "closed the connection without an answer"},
      {"no HTTP", "SSH-2.0-x\r\n", "answered an invalid response"},
      {"a head over 64 KiB", "HTTP/1.1 200 OK\r\nA: " + std::string(65536, 'x'), "answered an invalid response"},
  };
  Origin origin;
  const ProxyUnderTest proxy(allow({origin.authority()}));
  for (const NoAnswer& row : rows) {
    Peer client = proxy.connect();
    client.send(get(origin));
    Peer upstream = origin.accept();
    (void)upstream.receive_through("\r\n\r\n");
    upstream.try_send(row.sent);
    upstream.close();
    std::string answer = client.receive_all().bytes;
    if (answer.starts_with("HTTP/1.1 100")) answer = body_of(answer);
    EXPECT_EQ(status_of(answer), 502) << row.what;
    EXPECT_EQ(body_of(answer), "agentrun: " + origin.authority() + ' ' + row.cause) << row.what;
  }
}

TEST(Forwarding, SaysThatAnOriginResetBeforeItsAnswer) {
  Origin origin;
  const ProxyUnderTest proxy(allow({origin.authority()}));
  Peer client = proxy.connect();
  client.send(get(origin));
  Peer upstream = origin.accept();
  (void)upstream.receive_through("\r\n\r\n");
  upstream.reset();
  EXPECT_THAT(client.receive_all().bytes, HasSubstr("closed the connection without an answer"));
}

TEST(Forwarding, PassesAResetInTheMiddleOfABodyOn) {
  Origin origin;
  const ProxyUnderTest proxy(allow({origin.authority()}));
  Peer client = proxy.connect();
  client.send(get(origin));
  Peer upstream = origin.accept();
  upstream.send("HTTP/1.1 200 OK\r\n\r\npart");
  EXPECT_EQ(client.receive_through("part").substr(0, 15), "HTTP/1.1 200 OK");
  upstream.reset();
  EXPECT_EQ(client.receive_all().ending, Ending::reset);
}

TEST(Forwarding, WaitsForASlowOriginWhileTheClientIsOpen) {
  Timeouts timeouts;
  timeouts.half_close = std::chrono::milliseconds(50);
  timeouts.head = std::chrono::milliseconds(50);
  timeouts.connect = std::chrono::milliseconds(50);
  Origin origin;
  const ProxyUnderTest proxy(allow({origin.authority()}), timeouts);
  Peer client = proxy.connect();
  client.send(get(origin));
  Peer upstream = origin.accept();
  EXPECT_TRUE(client.is_quiet(300));
  upstream.send("HTTP/1.1 200 OK\r\n\r\n");
  EXPECT_EQ(status_of(client.receive_through("\r\n\r\n")), 200);
}

TEST(Forwarding, EndsWhenTheClientHasClosedAndTheOriginIsSilent) {
  Timeouts timeouts;
  timeouts.half_close = std::chrono::milliseconds(100);
  Origin origin;
  const ProxyUnderTest proxy(allow({origin.authority()}), timeouts);
  Peer client = proxy.connect();
  client.send(get(origin));
  client.shutdown_sending();
  Peer upstream = origin.accept();
  EXPECT_NE(client.receive_all().ending, Ending::too_late);
  EXPECT_NE(upstream.receive_all().ending, Ending::too_late);
}

TEST(Forwarding, AnswersAClientThatHasClosedItsSendingSide) {
  Origin origin;
  const ProxyUnderTest proxy(allow({origin.authority()}));
  Peer client = proxy.connect();
  client.send(get(origin));
  client.shutdown_sending();
  Peer upstream = origin.accept();
  (void)upstream.receive_through("\r\n\r\n");
  upstream.send("HTTP/1.1 200 OK\r\n\r\nyes");
  upstream.close();
  EXPECT_EQ(body_of(client.receive_all().bytes), "yes");
}

TEST(Forwarding, SaysWhyItCouldNotConnect) {
  const std::string authority = "127.0.0.1:" + std::to_string(closed_port());
  ProxyUnderTest proxy(allow({authority, "gone.test:80"}));
  EXPECT_EQ(body_of(proxy.answer_to("GET http://" + authority + "/ HTTP/1.0\r\n\r\n")),
            "agentrun: " + authority + " connection failed (Connection refused)");
  EXPECT_EQ(body_of(proxy.answer_to("GET http://gone.test/ HTTP/1.0\r\n\r\n")),
            "agentrun: gone.test:80 could not be resolved");
}

}  // namespace
}  // namespace agentrun::proxy::test
