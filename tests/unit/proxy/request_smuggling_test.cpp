// Requests that two readers could take for two different ones. Each is sent at once and byte by byte, over TCP and over
// the unix socket: nothing may depend on how it arrives.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/proxy_under_test.hpp"

namespace agentrun::proxy::test {
namespace {

using namespace std::string_literals;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

struct Row {
  const char* what;
  std::string request;
};

/// The statuses of the four ways, as one when they are equal.
int status_in_any_way(const ProxyUnderTest& proxy, const std::string& request) {
  std::vector<int> statuses;
  for (const bool over_tcp : {true, false}) {
    for (const bool at_once : {true, false}) {
      Peer client = over_tcp ? proxy.connect() : proxy.connect_unix();
      if (at_once) {
        client.try_send(request);
      } else {
        // The proxy may have answered and gone before the last byte.
        for (std::size_t i = 0; i < request.size() && client.try_send(std::string_view(request).substr(i, 1)); ++i) {
        }
      }
      statuses.push_back(status_of(client.receive_all().bytes));
    }
  }
  EXPECT_THAT(statuses, ::testing::Each(statuses.front())) << request;
  return statuses.front();
}

void expect_malformed(std::initializer_list<Row> rows) {
  const ProxyUnderTest proxy(allow({"never.test"}));
  for (const Row& row : rows) EXPECT_EQ(status_in_any_way(proxy, row.request), 400) << row.what;
  EXPECT_THAT(proxy.events(), IsEmpty());
}

/// Well formed: judged, and refused by the rules.
void expect_judged(std::initializer_list<Row> rows) {
  for (const Row& row : rows) {
    const ProxyUnderTest proxy(allow({"never.test"}));
    EXPECT_EQ(status_in_any_way(proxy, row.request), 403) << row.what;
    EXPECT_THAT(proxy.events(), ElementsAre("a.test:80 not_allowed")) << row.what;
  }
}

std::string post(const std::string& fields) {
  return "POST http://a.test/ HTTP/1.1\r\nHost: a.test\r\n" + fields + "\r\n";
}

std::string get(const std::string& target, const std::string& version = "HTTP/1.0") {
  return "GET " + target + ' ' + version + "\r\n\r\n";
}

TEST(Smuggling, ByLengths) {
  expect_malformed({
      {"two equal lengths", post("Content-Length: 5\r\nContent-Length: 5\r\n")},
      {"two different lengths", post("Content-Length: 5\r\nContent-Length: 6\r\n")},
      {"two in other case", post("Content-Length: 5\r\ncontent-LENGTH: 5\r\n")},
      {"a list", post("Content-Length: 5, 5\r\n")},
      {"an empty length", post("Content-Length:\r\n")},
      {"a sign", post("Content-Length: +5\r\n")},
      {"a minus", post("Content-Length: -5\r\n")},
      {"minus zero", post("Content-Length: -0\r\n")},
      {"hex", post("Content-Length: 0x5\r\n")},
      {"a fraction", post("Content-Length: 5.0\r\n")},
      {"an exponent", post("Content-Length: 5e1\r\n")},
      {"an underscore", post("Content-Length: 1_0\r\n")},
      {"a space inside", post("Content-Length: 5 6\r\n")},
      {"quotes", post("Content-Length: \"5\"\r\n")},
      {"digits of another script", post("Content-Length: \xD9\xA5\r\n")},
      {"over 64 bits", post("Content-Length: 18446744073709551621\r\n")},
      {"over 64 bits by far", post("Content-Length: " + std::string(400, '9') + "\r\n")},
      {"a vertical tab", post("Content-Length: \v5\r\n")},
      {"a NUL behind it", post("Content-Length: 5\0\r\n"s)},
      {"a bad one on a CONNECT", "CONNECT a.test:443 HTTP/1.0\r\nContent-Length: x\r\n\r\n"},
      {"two on a CONNECT", "CONNECT a.test:443 HTTP/1.0\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\n"},
  });
  expect_judged({
      {"leading zeros", post("Content-Length: 0000000000000000000000005\r\n") + "hello"},
      {"white space around", post("Content-Length: \t 5 \t\r\n") + "hello"},
      {"the longest", post("Content-Length: 18446744073709551615\r\n")},
  });
}

TEST(Smuggling, ByTransferEncoding) {
  expect_malformed({
      {"with a length", post("Transfer-Encoding: chunked\r\nContent-Length: 5\r\n")},
      {"with a length behind", post("Content-Length: 5\r\nTransfer-Encoding: chunked\r\n")},
      {"an empty one with a length", post("Content-Length: 5\r\nTransfer-Encoding:\r\n")},
      {"identity with a length", post("Transfer-Encoding: identity\r\nContent-Length: 5\r\n")},
      {"a space before the colon", post("Transfer-Encoding : chunked\r\n")},
      {"a tab before the colon", post("Transfer-Encoding\t: chunked\r\n")},
      {"a space before the name", post(" Transfer-Encoding: chunked\r\n")},
      {"folded", post("Transfer-Encoding:\r\n chunked\r\n")},
      {"folded into another field", post("X: y\r\n Transfer-Encoding: chunked\r\n")},
      {"behind a bare newline", post("X: y\nTransfer-Encoding: chunked\r\n")},
      {"behind a bare return", post("X: y\rTransfer-Encoding: chunked\r\n")},
      {"a vertical tab", post("Transfer-Encoding:\vchunked\r\n")},
      {"a form feed", post("Transfer-Encoding: chunked\f\r\n")},
      {"a NUL in the name", post("Transfer-Encoding\0: chunked\r\n"s)},
  });
  // Whatever the coding: it is answered with 411, behind the rules, so never forwarded.
  ProxyUnderTest proxy(allow({"a.test:80"}));
  proxy.resolver().add("a.test", {loopback});
  for (const char* coding : {"chunked", "CHUNKED", "xchunked", "chunked, identity", "identity", "gzip, chunked",
                             "\"chunked\"", "chunked;q=1", "", " , ", "x"}) {
    const std::string fields = "Transfer-Encoding: " + std::string(coding) + "\r\n";
    EXPECT_EQ(status_in_any_way(proxy, post(fields)), 411) << coding;
    EXPECT_EQ(status_in_any_way(proxy, post(fields + fields)), 411) << coding;
  }
  EXPECT_EQ(status_in_any_way(proxy, "POST http://a.test/ HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n"), 411);
}

TEST(Smuggling, ByLineEndsAndBytes) {
  const std::string line = "GET http://a.test/ HTTP/1.1\r\n";
  const std::string host = "Host: a.test\r\n";
  expect_malformed({
      {"bare newlines alone", "GET http://a.test/ HTTP/1.1\nHost: a.test\n\n"},
      {"a bare newline ends the request line", "GET http://a.test/ HTTP/1.1\n" + host + "\r\n"},
      {"a bare newline ends a field", line + "Host: a.test\nX: y\r\n\r\n"},
      {"a bare newline ends the head", line + host + "\n"},
      {"a bare return ends the request line", "GET http://a.test/ HTTP/1.1\r" + host + "\r\n"},
      {"a bare return in a value", line + host + "X: a\rb\r\n\r\n"},
      {"two returns", line + "Host: a.test\r\r\n\r\n"},
      {"a return in a name", line + host + "X\r: y\r\n\r\n"},
      {"NUL in a value", line + host + "X: a\0b\r\n\r\n"s},
      {"NUL in a name", line + host + "X\0: y\r\n\r\n"s},
      {"NUL in the target", "GET http://a.test/\0 HTTP/1.1\r\n"s + host + "\r\n"},
      {"NUL in the method", "G\0T http://a.test/ HTTP/1.1\r\n"s + host + "\r\n"},
      {"an escape in a value", line + host + "X: \x1B[31m\r\n\r\n"},
      {"DEL in a value", line + host + "X: \x7F\r\n\r\n"},
      {"a folded line", line + host + "X: a\r\n b\r\n\r\n"},
      {"a folded line with a tab", line + host + "X: a\r\n\tb\r\n\r\n"},
      {"a folded Host", line + "Host:\r\n a.test\r\n\r\n"},
      {"a field without a colon", line + host + "X\r\n\r\n"},
      {"a field without a name", line + host + ": x\r\n\r\n"},
      {"a name with a space", line + host + "X Y: z\r\n\r\n"},
      {"a name of other letters", line + host + "\xC3\x84: z\r\n\r\n"},
      {"two empty lines first", "\r\n\r\n" + line + host + "\r\n"},
      {"a newline first", "\n" + line + host + "\r\n"},
      {"a space first", " " + line + host + "\r\n"},
      {"a tab first", "\t" + line + host + "\r\n"},
      {"a byte order mark first", "\xEF\xBB\xBF" + line + host + "\r\n"},
  });
  expect_judged({
      {"one empty line first", "\r\n" + line + host + "\r\n"},
      {"a tab in a value", line + host + "X: a\tb\r\n\r\n"},
      {"high bytes in a value", line + host + "X: \x80\xFF\r\n\r\n"},
      {"an empty value", line + host + "X:\r\n\r\n"},
  });
}

TEST(Smuggling, ByTheRequestLine) {
  expect_malformed({
      {"HTTP/0.9", "GET http://a.test/\r\n"},
      {"HTTP/0.9 by its number", get("http://a.test/", "HTTP/0.9")},
      {"HTTP/2.0", get("http://a.test/", "HTTP/2.0")},
      {"the HTTP/2 preface", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"},
      {"HTTP/1.2", get("http://a.test/", "HTTP/1.2")},
      {"HTTP/1", get("http://a.test/", "HTTP/1")},
      {"HTTP/1.1 with a space", get("http://a.test/", "HTTP/1.1 ")},
      {"HTTP/1.1 and more", get("http://a.test/", "HTTP/1.1 x")},
      {"HTTP/ 1.1", get("http://a.test/", "HTTP/ 1.1")},
      {"http/1.1", get("http://a.test/", "http/1.1")},
      {"HTTPS/1.1", get("http://a.test/", "HTTPS/1.1")},
      {"no version", get("http://a.test/", "")},
      {"two spaces", "GET  http://a.test/ HTTP/1.0\r\n\r\n"},
      {"two spaces behind the target", "GET http://a.test/  HTTP/1.0\r\n\r\n"},
      {"a tab", "GET\thttp://a.test/ HTTP/1.0\r\n\r\n"},
      {"a space in the target", get("http://a.test/a b")},
      {"a method with a colon", "GET: http://a.test/ HTTP/1.0\r\n\r\n"},
      {"no method", " http://a.test/ HTTP/1.0\r\n\r\n"},
      {"the origin form", get("/")},
      {"an origin form that looks absolute", get("//a.test/")},
      {"the authority form", get("a.test:80")},
      {"the asterisk form", "OPTIONS * HTTP/1.0\r\n\r\n"},
      {"https", get("https://a.test/")},
      {"another scheme", get("gopher://a.test/")},
      {"a scheme without slashes", get("http:a.test")},
      {"a scheme with one slash", get("http:/a.test/")},
      {"no host", get("http:///")},
      {"a port without a host", get("http://:80/")},
      {"user information", get("http://u:p@a.test/")},
      {"an empty user", get("http://@a.test/")},
      {"user information with a host in it", get("http://never.test:80@a.test/")},
      {"a fragment", get("http://a.test/#x")},
      {"a fragment behind a query", get("http://a.test/?q#x")},
      {"a fragment in the host", get("http://a.test#@never.test/")},
      {"a backslash in the host", get("http://a.test\\@never.test/")},
      {"an empty port", get("http://a.test:/")},
      {"high bytes in the path", get("http://a.test/\xC3\xA4")},
      {"a path on a CONNECT", "CONNECT a.test:443/ HTTP/1.0\r\n\r\n"},
      {"a URL on a CONNECT", "CONNECT http://a.test/ HTTP/1.0\r\n\r\n"},
      {"a CONNECT without a port", "CONNECT a.test HTTP/1.0\r\n\r\n"},
      {"a CONNECT in lower case", "connect a.test:443 HTTP/1.0\r\n\r\n"},
  });
  expect_judged({
      {"a method in lower case", "get http://a.test/ HTTP/1.0\r\n\r\n"},
      {"an unknown method", "M-!#$%&'*+.^_`|~9 http://a.test/ HTTP/1.0\r\n\r\n"},
      {"a scheme in upper case", get("HTTP://a.test/")},
      {"an encoded path", get("http://a.test/%00%0d%0a?%23")},
      {"an at sign in the path", get("http://a.test/@never.test")},
      {"no path", get("http://a.test")},
  });
}

TEST(Smuggling, ByHosts) {
  const auto with = [](const std::string& hosts) { return "GET http://a.test/ HTTP/1.1\r\n" + hosts + "\r\n"; };
  expect_malformed({
      {"none", with("")},
      {"two equal", with("Host: a.test\r\nHost: a.test\r\n")},
      {"two different", with("Host: a.test\r\nhost: never.test\r\n")},
      {"two under HTTP/1.0", "GET http://a.test/ HTTP/1.0\r\nHost: a.test\r\nHost: a.test\r\n\r\n"},
      {"an empty one", with("Host:\r\n")},
      {"a list", with("Host: a.test, never.test\r\n")},
      {"a URL", with("Host: http://a.test\r\n")},
      {"a path", with("Host: a.test/x\r\n")},
      {"user information", with("Host: u@a.test\r\n")},
      {"a bad port", with("Host: a.test:70000\r\n")},
      {"a number", with("Host: 2130706433\r\n")},
      {"none on a CONNECT", "CONNECT a.test:443 HTTP/1.1\r\n\r\n"},
      {"two on a CONNECT", "CONNECT a.test:443 HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n"},
  });
  expect_judged({
      {"another one", with("Host: never.test\r\n")},
      {"another port", with("Host: a.test:8080\r\n")},
      {"an IPv6 literal", with("Host: [::1]\r\n")},
  });
}

/// A head of exactly `size` bytes.
std::string head_of_size(std::size_t size) {
  const std::string start = "GET http://a.test/ HTTP/1.1\r\nHost: a.test\r\nX: ";
  return start + std::string(size - start.size() - 4, 'x') + "\r\n\r\n";
}

TEST(Smuggling, ByAHeadAtTheBorder) {
  const ProxyUnderTest proxy(allow({"never.test"}));
  EXPECT_EQ(status_in_any_way(proxy, head_of_size(65536)), 403);
  EXPECT_EQ(status_in_any_way(proxy, head_of_size(65535)), 403);
  EXPECT_EQ(status_in_any_way(proxy, head_of_size(65537)), 431);
  // What is wrong before the border is malformed, whatever comes behind it.
  EXPECT_EQ(status_in_any_way(proxy, head_of_size(65000).substr(0, 64990) + "\n" + std::string(1000, 'x')), 400);
}

TEST(Smuggling, ByASecondRequestInTheSameBytes) {
  Origin origin;
  const ProxyUnderTest proxy(allow({origin.authority()}));
  const std::string url = "http://" + origin.authority();
  const std::string second = "GET " + url + "/second HTTP/1.0\r\n\r\n";
  struct Carried {
    std::string request;
    std::string body;
  };
  for (const Carried& row : {Carried{"GET " + url + "/ HTTP/1.0\r\n\r\n", ""},
                             Carried{"POST " + url + "/ HTTP/1.0\r\nContent-Length: 0\r\n\r\n", ""},
                             Carried{"POST " + url + "/ HTTP/1.0\r\nContent-Length: 3\r\n\r\n", "abc"}}) {
    Peer client = proxy.connect();
    client.send(row.request + row.body + second);
    client.shutdown_sending();
    Peer upstream = origin.accept();
    (void)upstream.receive_through("\r\n\r\n");
    EXPECT_EQ(upstream.receive_all().bytes, row.body);
    EXPECT_TRUE(origin.is_quiet(0));
  }
}

}  // namespace
}  // namespace agentrun::proxy::test
