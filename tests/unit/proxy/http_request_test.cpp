#include "http_request.hpp"

#include <gtest/gtest.h>

#include <string>

namespace agentrun::proxy {
namespace {

std::optional<HttpRequest> interpret_text(const std::string& bytes) {
  RequestHeadParser parser;
  if (parser.feed(bytes) != HeadProgress::complete) {
    ADD_FAILURE() << "not a whole head: " << bytes;
    return std::nullopt;
  }
  auto request = interpret(parser.head(bytes));
  return request ? std::optional(std::move(*request)) : std::nullopt;
}

/// The head that goes upstream.
std::string forwarded(const std::string& line, const std::string& fields = "Host: a.test\r\n") {
  const auto request = interpret_text(line + " HTTP/1.1\r\n" + fields + "\r\n");
  return request && request->forward ? request->forward->head : "malformed";
}

std::string forwarded_line(const std::string& line) {
  const std::string head = forwarded(line);
  return head.substr(0, head.find("\r\n"));
}

bool is_malformed(const std::string& head) { return !interpret_text(head + "\r\n").has_value(); }

TEST(ConnectRequest, NamesItsTarget) {
  const auto request = interpret_text("CONNECT Example.TEST.:8443 HTTP/1.1\r\nHost: whatever.test\r\n\r\n");
  ASSERT_TRUE(request);
  EXPECT_FALSE(request->forward);
  EXPECT_EQ(to_string(request->target), "example.test:8443");
}

TEST(ConnectRequest, KeepsTheBracketsOfAnIPv6Literal) {
  const auto request = interpret_text("CONNECT [::1]:443 HTTP/1.1\r\nHost: [::1]:443\r\n\r\n");
  ASSERT_TRUE(request);
  EXPECT_EQ(request->target.host.form, HostForm::ipv6);
  EXPECT_EQ(to_string(request->target), "[::1]:443");
}

TEST(ConnectRequest, IsMalformedWithABadTarget) {
  for (const char* target : {"a.test",
                             "a.test:",
                             ":443",
                             "a.test:0",
                             "a.test:65536",
                             "a.test:+443",
                             "a.test:0443",
                             "a.test:443x",
                             "a.test:443:443",
                             "u@a.test:443",
                             "a.test:443/",
                             "a..test:443",
                             ".a.test:443",
                             "[::1]",
                             "[::1:443",
                             "[::1]x:443",
                             "::1:443",
                             "[fe80::1%eth0]:443",
                             "127.1:443",
                             "0x7f.1:443",
                             "2130706433:443",
                             "0177.0.0.1:443",
                             "1.2.3.4.5:443",
                             "a.0x1f:443",
                             "http://a.test:443",
                             "*",
                             "/",
                             "a%2etest:443",
                             "-:"})
    EXPECT_TRUE(is_malformed("CONNECT " + std::string(target) + " HTTP/1.0\r\n")) << target;
}

TEST(ConnectRequest, TakesNamesUpTo253BytesWithLabelsUpTo63) {
  const std::string label(63, 'a');
  const std::string longest = label + '.' + label + '.' + label + '.' + std::string(61, 'b');
  ASSERT_EQ(longest.size(), 253U);
  EXPECT_FALSE(is_malformed("CONNECT " + longest + ":443 HTTP/1.0\r\n"));
  EXPECT_FALSE(is_malformed("CONNECT " + longest + "...:443 HTTP/1.0\r\n"));
  EXPECT_TRUE(is_malformed("CONNECT " + longest + "b:443 HTTP/1.0\r\n"));
  EXPECT_TRUE(is_malformed("CONNECT " + label + "a.test:443 HTTP/1.0\r\n"));
}

TEST(ConnectRequest, IgnoresFramingThatIsWellFormed) {
  EXPECT_FALSE(is_malformed("CONNECT a.test:443 HTTP/1.0\r\nContent-Length: 5\r\n"));
  EXPECT_FALSE(is_malformed("CONNECT a.test:443 HTTP/1.0\r\nTransfer-Encoding: chunked\r\n"));
  EXPECT_TRUE(is_malformed("CONNECT a.test:443 HTTP/1.0\r\nContent-Length: x\r\n"));
  EXPECT_TRUE(is_malformed("CONNECT a.test:443 HTTP/1.0\r\nContent-Length: 5\r\nContent-Length: 5\r\n"));
}

TEST(PlainRequest, IsRewrittenFromTheJudgedTarget) {
  EXPECT_EQ(forwarded_line("GET http://a.test/x?y=z"), "GET /x?y=z HTTP/1.1");
  EXPECT_EQ(forwarded_line("GET HTTP://A.Test"), "GET / HTTP/1.1");
  EXPECT_EQ(forwarded_line("GET http://a.test?q"), "GET /?q HTTP/1.1");
  EXPECT_EQ(forwarded_line("GET http://a.test/?q?/:@"), "GET /?q?/:@ HTTP/1.1");
  EXPECT_EQ(forwarded_line("OPTIONS http://a.test"), "OPTIONS * HTTP/1.1");
  EXPECT_EQ(forwarded_line("OPTIONS http://a.test/"), "OPTIONS / HTTP/1.1");
  EXPECT_EQ(forwarded_line("OPTIONS http://a.test?q"), "OPTIONS /?q HTTP/1.1");
  EXPECT_EQ(forwarded_line("options http://a.test"), "options / HTTP/1.1");
  EXPECT_EQ(forwarded_line("M-SEARCH http://a.test/~\"<>\\^`{|}"), "M-SEARCH /~\"<>\\^`{|} HTTP/1.1");
  EXPECT_EQ(forwarded_line("GET http://a.test//x/../y"), "GET //x/../y HTTP/1.1");
}

TEST(PlainRequest, KeepsTheVersion) {
  const auto request = interpret_text("GET http://a.test/ HTTP/1.0\r\n\r\n");
  ASSERT_TRUE(request && request->forward);
  EXPECT_EQ(request->forward->head, "GET / HTTP/1.0\r\nHost: a.test\r\nConnection: close\r\n\r\n");
}

TEST(PlainRequest, ReplacesTheHostAndLeavesPort80Out) {
  EXPECT_EQ(forwarded("GET http://A.test.:80/", "Host: evil.test:99\r\n"),
            "GET / HTTP/1.1\r\nHost: a.test\r\nConnection: close\r\n\r\n");
  EXPECT_EQ(forwarded("GET http://a.test:8080/", "hOST: evil.test\r\nX: y\r\n"),
            "GET / HTTP/1.1\r\nHost: a.test:8080\r\nX: y\r\nConnection: close\r\n\r\n");
}

TEST(PlainRequest, LosesWhatIsMeantForThisConnection) {
  EXPECT_EQ(forwarded("GET http://a.test/",
                      "Host: a.test\r\nConnection: x-one , keep-alive\r\nX-One: 1\r\nX-Two: 2\r\n"
                      "connection: X-THREE\r\nX-Three: 3\r\nKeep-Alive: 5\r\nProxy-Connection: close\r\n"
                      "Proxy-Authorization: Basic c2VjcmV0\r\nproxy-foo: bar\r\nTE: trailers\r\nTrailer: X\r\n"
                      "Upgrade: h2c\r\nAccept: */*\r\n"),
            "GET / HTTP/1.1\r\nHost: a.test\r\nX-Two: 2\r\nAccept: */*\r\nConnection: close\r\n\r\n");
}

TEST(PlainRequest, KeepsHostAndLengthEvenWhenConnectionNamesThem) {
  EXPECT_EQ(
      forwarded("POST http://a.test/", "Host: a.test\r\nConnection: host, content-length\r\nContent-Length: 3\r\n"),
      "POST / HTTP/1.1\r\nHost: a.test\r\nContent-Length: 3\r\nConnection: close\r\n\r\n");
}

TEST(PlainRequest, WritesTheLengthWithoutLeadingZeros) {
  const auto request = interpret_text("POST http://a.test/ HTTP/1.1\r\nHost: a\r\nContent-Length: 00042\r\n\r\n");
  ASSERT_TRUE(request && request->forward);
  EXPECT_EQ(request->forward->content_length, 42U);
  EXPECT_NE(request->forward->head.find("\r\nContent-Length: 42\r\n"), std::string::npos);
}

TEST(PlainRequest, IsMalformedWithABadLength) {
  for (const char* length :
       {"", "-1", "+1", "1,1", "1, 1", "1 1", "0x1", "1.0", "1e3", "18446744073709551616", "\"1\"", "a"})
    EXPECT_TRUE(is_malformed("POST http://a.test/ HTTP/1.0\r\nContent-Length: " + std::string(length) + "\r\n"))
        << length;
  EXPECT_TRUE(is_malformed("POST http://a.test/ HTTP/1.0\r\nContent-Length: 1\r\ncontent-length: 1\r\n"));
  EXPECT_FALSE(is_malformed("POST http://a.test/ HTTP/1.0\r\nContent-Length: 18446744073709551615\r\n"));
}

TEST(PlainRequest, NotesATransferEncoding) {
  const auto request = interpret_text("POST http://a.test/ HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n");
  ASSERT_TRUE(request && request->forward);
  EXPECT_TRUE(request->forward->has_transfer_encoding);
}

TEST(PlainRequest, IsMalformedWithATransferEncodingAndALength) {
  EXPECT_TRUE(is_malformed("POST http://a.test/ HTTP/1.0\r\nTransfer-Encoding: chunked\r\nContent-Length: 1\r\n"));
  EXPECT_TRUE(is_malformed("POST http://a.test/ HTTP/1.0\r\nContent-Length: 1\r\nTransfer-Encoding:\r\n"));
}

TEST(PlainRequest, IsMalformedInAnotherForm) {
  for (const char* target : {"/",
                             "*",
                             "a.test",
                             "a.test:80",
                             "http:/a.test/",
                             "http//a.test/",
                             "https://a.test/",
                             "ftp://a.test/",
                             "ws://a.test/",
                             "http://",
                             "http:///x",
                             "http://?q",
                             "http://u@a.test/",
                             "http://u:p@a.test/",
                             "http://a.test/#f",
                             "http://a.test#f",
                             "http://a.test?q#f",
                             "http://a.test:/",
                             "http://a.test:0/",
                             "http://a.test:080/",
                             "http://a.test:65536/",
                             "http://127.1/",
                             "http://0x7f000001/",
                             "http://[::1/",
                             "http://a_b..test/",
                             "http://a.test\\@b.test/",
                             "http://a,b.test/"})
    EXPECT_TRUE(is_malformed("GET " + std::string(target) + " HTTP/1.0\r\n")) << target;
}

TEST(PlainRequest, MethodConnectInLowerCaseIsAnotherMethod) {
  EXPECT_TRUE(is_malformed("connect a.test:443 HTTP/1.0\r\n"));
  EXPECT_EQ(forwarded_line("connect http://a.test/"), "connect / HTTP/1.1");
}

TEST(HostField, IsAskedForOnceUnderHttp11) {
  EXPECT_TRUE(is_malformed("GET http://a.test/ HTTP/1.1\r\n"));
  EXPECT_TRUE(is_malformed("CONNECT a.test:443 HTTP/1.1\r\n"));
  EXPECT_FALSE(is_malformed("GET http://a.test/ HTTP/1.0\r\n"));
  EXPECT_TRUE(is_malformed("GET http://a.test/ HTTP/1.0\r\nHost: a.test\r\nhost: a.test\r\n"));
}

TEST(HostField, IsMalformedWhenItIsNoHost) {
  for (const char* host : {"", "a b", "a.test:", "a.test:0", "u@a.test", "a.test/", "http://a.test", "a,b", "127.1"})
    EXPECT_TRUE(is_malformed("GET http://a.test/ HTTP/1.1\r\nHost: " + std::string(host) + "\r\n")) << host;
}

TEST(PlainRequest, KnowsHead) {
  EXPECT_TRUE(interpret_text("HEAD http://a.test/ HTTP/1.0\r\n\r\n")->is_head_method);
  EXPECT_FALSE(interpret_text("head http://a.test/ HTTP/1.0\r\n\r\n")->is_head_method);
}

}  // namespace
}  // namespace agentrun::proxy
