// Raw requests on real sockets, for what one sees of the parsing from outside: status, events, closing.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "malformed.hpp"
#include "support/proxy_under_test.hpp"

namespace agentrun::proxy::test {
namespace {

using namespace std::string_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

struct Row {
  const char* what;
  std::string request;
  int status;
};

const std::string host = "Host: a.test\r\n";

TEST(Strictness, AnswersMalformedRequestsWith400AndNoEvent) {
  const Row rows[] = {
      {"TLS instead of HTTP", "\x16\x03\x01", 400},
      {"a bare newline", "GET http://a.test/ HTTP/1.1\n", 400},
      {"a bare return", "GET http://a.test/ HTTP/1.1\r\nA: b\rX", 400},
      {"NUL", "GET http://a.test/ HTTP/1.1\r\nA: \0"s, 400},
      {"something behind the version", "GET http://a.test/ HTTP/1.1 x\r\n", 400},
      {"behind the version of a CONNECT", "CONNECT a.test:443 HTTP/1.1 x\r\n", 400},
      {"a folded line", "GET http://a.test/ HTTP/1.1\r\n" + host + " b\r\n", 400},
      {"a space before a colon", "GET http://a.test/ HTTP/1.1\r\nHost : a.test\r\n", 400},
      {"a name that is no token", "GET http://a.test/ HTTP/1.1\r\n" + host + "A[]: b\r\n", 400},
      {"no Host", "GET http://a.test/ HTTP/1.1\r\n\r\n", 400},
      {"two Hosts", "GET http://a.test/ HTTP/1.1\r\n" + host + host + "\r\n", 400},
      {"two lengths", "POST http://a.test/ HTTP/1.1\r\n" + host + "Content-Length: 1\r\nContent-Length: 1\r\n\r\n",
       400},
      {"a list of lengths", "POST http://a.test/ HTTP/1.1\r\n" + host + "Content-Length: 1, 1\r\n\r\n", 400},
      {"a negative length", "POST http://a.test/ HTTP/1.1\r\n" + host + "Content-Length: -1\r\n\r\n", 400},
      {"a length and a coding",
       "POST http://a.test/ HTTP/1.1\r\n" + host + "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", 400},
      {"another scheme", "GET https://a.test/ HTTP/1.1\r\n" + host + "\r\n", 400},
      {"the origin form", "GET / HTTP/1.1\r\n" + host + "\r\n", 400},
      {"a fragment", "GET http://a.test/#f HTTP/1.1\r\n" + host + "\r\n", 400},
      {"user information", "GET http://u:p@a.test/ HTTP/1.1\r\n" + host + "\r\n", 400},
      {"CONNECT without a port", "CONNECT a.test HTTP/1.1\r\n" + host + "\r\n", 400},
      {"port 0", "CONNECT a.test:0 HTTP/1.1\r\n" + host + "\r\n", 400},
      {"a number as a host", "CONNECT 2130706433:443 HTTP/1.1\r\n" + host + "\r\n", 400},
      {"a zone id", "CONNECT [fe80::1%25lo]:443 HTTP/1.1\r\n" + host + "\r\n", 400},
      {"an odd byte in a host", "CONNECT a%00.test:443 HTTP/1.1\r\n" + host + "\r\n", 400},
  };
  const ProxyUnderTest proxy(allow({"a.test", "a.test:1"}));
  for (const Row& row : rows) {
    const std::string answer = proxy.answer_to(row.request);
    EXPECT_EQ(status_of(answer), row.status) << row.what;
    EXPECT_THAT(body_of(answer), StartsWith("agentrun: the request is malformed: ")) << row.what;
    EXPECT_THAT(answer, HasSubstr("\r\nContent-Type: text/plain; charset=utf-8\r\n")) << row.what;
    EXPECT_THAT(answer, HasSubstr("\r\nConnection: close\r\n")) << row.what;
  }
  EXPECT_THAT(proxy.events(), IsEmpty());
}

TEST(Strictness, SaysWhatIsMalformed) {
  struct Reason {
    std::string request;
    std::string_view cause;
  };
  const ProxyUnderTest proxy(allow({"a.test"}));
  for (const Reason& row :
       {Reason{"\x16\x03\x01", malformed::beginning}, Reason{"GET http://a.test/ HTTP/1.1\n", malformed::line_end},
        Reason{"GET http://a.test/ HTTP/1.1\r" + host, malformed::line_end},
        Reason{"GET http://a.test/ HTTP/1.1\r\nA: \x01", malformed::control_byte},
        Reason{"GET /\r\n", malformed::request_line},
        Reason{"GET http://a.test/ HTTP/1.1\r\n" + host + " folded\r\n", malformed::field},
        Reason{"POST http://a.test/ HTTP/1.1\r\n" + host + "Content-Length: x\r\n\r\n", malformed::length},
        Reason{"POST http://a.test/ HTTP/1.1\r\n" + host + "Transfer-Encoding: x\r\nContent-Length: 1\r\n\r\n",
               malformed::two_framings},
        Reason{"GET http://a.test/ HTTP/1.1\r\n\r\n", malformed::host},
        Reason{"CONNECT a.test HTTP/1.1\r\n" + host + "\r\n", malformed::connect_target},
        Reason{"GET / HTTP/1.1\r\n" + host + "\r\n", malformed::plain_target}})
    EXPECT_EQ(body_of(proxy.answer_to(row.request)), "agentrun: the request is malformed: " + std::string(row.cause));
}

TEST(Strictness, JudgesFormBeforePolicyBeforeLength) {
  const std::string chunked = "Transfer-Encoding: chunked\r\n";
  ProxyUnderTest proxy(allow({"a.test:80"}));
  proxy.resolver().add("a.test", {loopback});
  EXPECT_EQ(status_of(proxy.answer_to("POST http://b.test/# HTTP/1.1\r\n" + host + chunked + "\r\n")), 400);
  EXPECT_EQ(status_of(proxy.answer_to("POST http://b.test/ HTTP/1.1\r\n" + host + chunked + "\r\n")), 403);
  EXPECT_EQ(status_of(proxy.answer_to("POST http://a.test/ HTTP/1.1\r\n" + host + chunked + "\r\n")), 411);
  EXPECT_THAT(proxy.events(), ElementsAre("b.test:80 not_allowed", "a.test:80 allowed"));
}

TEST(Strictness, LetsAHeadOf64KiBInAndNoByteMore) {
  const auto request_of_size = [](std::size_t size) {
    const std::string start = "GET http://b.test/ HTTP/1.1\r\n" + host + "X: ";
    return start + std::string(size - start.size() - 4, 'x') + "\r\n\r\n";
  };
  const ProxyUnderTest proxy(allow({"a.test"}));
  EXPECT_EQ(status_of(proxy.answer_to(request_of_size(65536))), 403);
  EXPECT_EQ(status_of(proxy.answer_to(request_of_size(65537))), 431);
  EXPECT_EQ(status_of(proxy.answer_to(request_of_size(1 << 20))), 431);
}

TEST(Strictness, ReadsAHeadByteByByte) {
  Origin origin;
  const ProxyUnderTest proxy(allow({origin.authority()}));
  Peer client = proxy.connect();
  client.send_byte_by_byte("\r\n" + connect_request(origin.authority()));
  EXPECT_EQ(status_of(client.receive_through("\r\n\r\n")), 200);
}

TEST(Strictness, SendsNoBodyForHead) {
  const ProxyUnderTest proxy(allow({"a.test"}));
  for (const char* request : {"HEAD http://b.test/ HTTP/1.0\r\n\r\n", "HEAD / HTTP/1.0\r\n\r\n",
                              "HEAD http://b.test/ HTTP/1.0\r\nA : b\r\n"}) {
    const std::string answer = proxy.answer_to(request);
    EXPECT_NE(status_of(answer), 0) << request;
    EXPECT_EQ(body_of(answer), "") << request;
  }
}

TEST(Strictness, AnswersAnUnfinishedHeadWith400) {
  const ProxyUnderTest proxy(allow({"a.test"}));
  Peer client = proxy.connect();
  client.send("GET http://a.te");
  client.shutdown_sending();
  EXPECT_EQ(status_of(client.receive_all().bytes), 400);
}

TEST(Strictness, ClosesWithoutAWordWhenTheClientSaidNothing) {
  const ProxyUnderTest proxy(allow({"a.test"}));
  Peer client = proxy.connect();
  client.shutdown_sending();
  const Received received = client.receive_all();
  EXPECT_EQ(received.bytes, "");
  EXPECT_EQ(received.ending, Ending::orderly);
}

TEST(Strictness, LetsTheAnswerArriveAlthoughTheClientGoesOnSending) {
  const ProxyUnderTest proxy(allow({"a.test"}));
  Peer client = proxy.connect();
  client.send("POST http://b.test/ HTTP/1.0\r\nContent-Length: 4000000\r\n\r\n");
  client.send(std::string(4000000, 'x'));
  const Received received = client.receive_all();
  EXPECT_EQ(status_of(received.bytes), 403);
  EXPECT_EQ(received.ending, Ending::orderly);
}

TEST(Strictness, GivesALateHeadA408) {
  Timeouts timeouts;
  timeouts.head = std::chrono::milliseconds(150);
  const ProxyUnderTest proxy(allow({"a.test"}), timeouts);
  for (const char* start : {"", "GET http://a.test/ HTTP/1.1\r\nHost"}) {
    Peer client = proxy.connect();
    client.send(start);
    const Received received = client.receive_all();
    EXPECT_EQ(status_of(received.bytes), 408);
    EXPECT_EQ(received.ending, Ending::orderly);
  }
  EXPECT_THAT(proxy.events(), IsEmpty());
}

TEST(Strictness, GivesASlowHeadNoMoreTimeForEachByte) {
  Timeouts timeouts;
  timeouts.head = std::chrono::milliseconds(150);
  const ProxyUnderTest proxy(allow({"a.test"}), timeouts);
  Peer client = proxy.connect();
  client.send("GET http://a.test/ HTTP/1.1\r\nX: ");
  bool has_answer = false;
  EXPECT_TRUE(eventually([&] {
    has_answer = !client.is_quiet(0);
    return has_answer || !client.try_send("x");
  }));
  EXPECT_EQ(status_of(client.receive_all().bytes), 408);
}

TEST(Strictness, LetsATunnelLiveLongerThanAHead) {
  Timeouts timeouts;
  timeouts.head = std::chrono::milliseconds(100);
  Origin origin;
  const ProxyUnderTest proxy(allow({origin.authority()}), timeouts);
  Peer client = proxy.tunnel(origin.authority());
  Peer upstream = origin.accept();
  EXPECT_TRUE(client.is_quiet(300));
  client.send("late");
  EXPECT_EQ(upstream.receive(4).bytes, "late");
}

}  // namespace
}  // namespace agentrun::proxy::test
