// What counts as a host, by every way that one can be asked for: the same forms, told in the same judged form.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cctype>

#include "support/routes.hpp"

namespace agentrun::proxy::test {
namespace {

using namespace std::string_literals;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

const std::string label_of_63(63, 'a');
const std::string name_of_253 = label_of_63 + '.' + label_of_63 + '.' + label_of_63 + '.' + std::string(61, 'b');

TEST(HostForms, AreJudgedInOneForm) {
  struct Row {
    std::string host;
    std::string judged;
  };
  for (const Row& row :
       {Row{"a.test", "a.test"}, Row{"A.TeSt", "a.test"}, Row{"a.test.", "a.test"}, Row{"a.test...", "a.test"},
        Row{"localhost", "localhost"}, Row{"xn--bcher-kva.test", "xn--bcher-kva.test"},
        Row{"XN--BCHER-KVA.test", "xn--bcher-kva.test"}, Row{"_a_.test", "_a_.test"}, Row{"-a-.test", "-a-.test"},
        Row{"1a.test", "1a.test"}, Row{"1.2.3.test", "1.2.3.test"}, Row{"0x7f.test", "0x7f.test"},
        Row{"127.0.0.1.test", "127.0.0.1.test"}, Row{"1.2.3.4", "1.2.3.4"}, Row{"255.255.255.255.", "255.255.255.255"},
        Row{label_of_63 + ".test", label_of_63 + ".test"}, Row{name_of_253, name_of_253},
        Row{name_of_253 + ".", name_of_253}}) {
    for (const Route route : routes) {
      ProxyUnderTest proxy(allow({"never.test"}));
      EXPECT_EQ(answer_to(proxy, request_for(route, row.host, 443)), Answer::refused) << route << ' ' << row.host;
      EXPECT_THAT(proxy.events(), ElementsAre(row.judged + ":443 not_allowed")) << route;
      EXPECT_THAT(proxy.resolver().asked(), IsEmpty());
    }
  }
}

TEST(HostForms, OfOtherShapesAreMalformedAndNoEvent) {
  const std::string hosts[] = {"",
                               ".",
                               "..",
                               ".a.test",
                               "a..test",
                               "a.test..b",
                               "127.1",
                               "127.0.1",
                               "0x7f.1",
                               "0x7f000001",
                               "0X7F.0.0.1",
                               "0x",
                               "017700000001",
                               "0177.0.0.1",
                               "127.0.0.01",
                               "2130706433",
                               "127.0.0.1.1",
                               "256.0.0.1",
                               "1.2.3.4.5",
                               "a.1",
                               "a.0x1f",
                               "1.2.3.400",
                               "%00",
                               "a.test%00",
                               "a%2etest",
                               "%61.test",
                               "a test",
                               "a\ttest",
                               "a.test\0"s,
                               "\0"s,
                               "a.test\0.b.test"s,
                               "a.test\r\n",
                               "a.test\n",
                               "a\x7F.test",
                               "a/b",
                               "a\\b",
                               "a@b",
                               "u:p@a.test",
                               "a.test#",
                               "a?b",
                               "*.test",
                               "*",
                               "a,b",
                               "a;b",
                               "a&b",
                               "(a)",
                               "a.test,b.test",
                               "\xC3\xA4.test",
                               "\xE2\x80\xA4.test",
                               "a\xE3\x80\x82test",
                               "[::1",
                               "::1]",
                               "[]",
                               "[a.test]",
                               "[1.2.3.4]",
                               "[fe80::1%eth0]",
                               "[fe80::1%25eth0]",
                               "[::1]x",
                               "[[::1]]",
                               "[:::]",
                               "[12345::]",
                               label_of_63 + "a.test",
                               name_of_253 + "b"};
  for (const Route route : routes) {
    ProxyUnderTest proxy(allow_public());
    for (const std::string& host : hosts) {
      if (route == Route::plain && host.find_first_of("/?") != std::string::npos) continue;  // there the path begins
      EXPECT_EQ(answer_to(proxy, request_for(route, host, 443)), Answer::malformed) << route << " '" << host << '\'';
    }
    EXPECT_THAT(proxy.events(), IsEmpty()) << route;
    EXPECT_THAT(proxy.resolver().asked(), IsEmpty()) << route;
  }
}

TEST(HostForms, AnIPv6LiteralIsRefusedOverHttpAndNoNameOfSocks) {
  for (const char* host : {"[::1]", "[::]", "[::ffff:127.0.0.1]", "[::FFFF:7f00:1]", "[2001:DB8::1]",
                           "[64:ff9b::7f00:1]", "[1:2:3:4:5:6:7:8]"}) {
    std::string judged(host);
    for (char& byte : judged) byte = static_cast<char>(std::tolower(static_cast<unsigned char>(byte)));
    for (const Route route : {Route::connect, Route::plain}) {
      const ProxyUnderTest proxy(allow_public());
      EXPECT_EQ(answer_to(proxy, request_for(route, host, 443)), Answer::refused) << route << ' ' << host;
      EXPECT_THAT(proxy.events(), ElementsAre(judged + ":443 not_allowed"));
    }
    const ProxyUnderTest proxy(allow_public());
    const std::string bare(host + 1, std::string(host).size() - 2);
    EXPECT_EQ(answer_to(proxy, request_for(Route::socks_name, host, 443)), Answer::malformed) << host;
    EXPECT_EQ(answer_to(proxy, request_for(Route::socks_name, bare, 443)), Answer::malformed) << bare;
    EXPECT_EQ(answer_to(proxy, request_for(Route::connect, bare, 443)), Answer::malformed) << bare;
    EXPECT_THAT(proxy.events(), IsEmpty());
  }
}

TEST(Ports, AreOneTo65535InPlainDigits) {
  const ProxyUnderTest proxy(allow({"never.test"}));
  for (const char* port : {"1", "80", "443", "65535"}) {
    const std::string authority = "a.test:" + std::string(port);
    EXPECT_EQ(answer_to(proxy, "CONNECT " + authority + " HTTP/1.0\r\n\r\n"), Answer::refused) << port;
    EXPECT_EQ(answer_to(proxy, "GET http://" + authority + "/ HTTP/1.0\r\n\r\n"), Answer::refused) << port;
  }
  const std::size_t told = proxy.events().size();
  for (const char* port : {"",           "0",
                           "00",         "080",
                           "65536",      "70000",
                           "99999",      "655360",
                           "+80",        "-80",
                           " 80",        "80 ",
                           "8 0",        "0x50",
                           "80a",        "8e1",
                           "80:80",      "%38%30",
                           "http",       "\xD9\xA8",
                           "4294967376", "18446744073709551696"}) {
    const std::string authority = "a.test:" + std::string(port);
    EXPECT_EQ(answer_to(proxy, "CONNECT " + authority + " HTTP/1.0\r\n\r\n"), Answer::malformed) << port;
    EXPECT_EQ(answer_to(proxy, "GET http://" + authority + "/ HTTP/1.0\r\n\r\n"), Answer::malformed) << port;
  }
  EXPECT_EQ(proxy.events().size(), told) << "no event";
}

}  // namespace
}  // namespace agentrun::proxy::test
