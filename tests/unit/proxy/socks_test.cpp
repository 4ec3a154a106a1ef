#include "socks.hpp"

#include <gtest/gtest.h>

#include <cerrno>
#include <string>

namespace agentrun::proxy {
namespace {

using namespace std::string_literals;

std::string name_request(std::string_view name, const std::string& port = "\x01\xBB"s) {
  return "\x05\x01\x00\x03"s + static_cast<char>(name.size()) + std::string(name) + port;
}

TEST(SocksGreeting, AcceptsNoAuthenticationAmongOthers) {
  for (const std::string& bytes : {"\x05\x01\x00"s, "\x05\x02\x02\x00"s, "\x05\x03\x00\x01\x02more"s}) {
    const SocksGreeting greeting = parse_socks_greeting(bytes);
    EXPECT_EQ(greeting.progress, SocksProgress::complete);
    EXPECT_EQ(greeting.size, 2 + static_cast<std::size_t>(bytes[1]));
  }
}

TEST(SocksGreeting, RefusesEverythingElse) {
  for (const std::string& bytes : {"\x05\x00"s, "\x05\x01\x02"s, "\x05\x02\x01\xFF"s})
    EXPECT_EQ(parse_socks_greeting(bytes).progress, SocksProgress::refused);
}

TEST(SocksGreeting, NeedsAllItsMethods) {
  for (const std::string& bytes : {"\x05"s, "\x05\x01"s, "\x05\x02\x00"s})
    EXPECT_EQ(parse_socks_greeting(bytes).progress, SocksProgress::need_more);
}

TEST(SocksRequest, NamesAnAddress) {
  const SocksRequest request = parse_socks_request("\x05\x01\x00\x01\x7F\x00\x00\x01\x1F\x90rest"s);
  ASSERT_EQ(request.progress, SocksProgress::complete);
  EXPECT_EQ(request.size, 10U);
  EXPECT_EQ(to_string(*request.target), "127.0.0.1:8080");
  EXPECT_EQ(request.target->host.form, HostForm::ipv4);
}

TEST(SocksRequest, NamesAHost) {
  const std::string bytes = name_request("Example.TEST.");
  const SocksRequest request = parse_socks_request(bytes + "rest");
  ASSERT_EQ(request.progress, SocksProgress::complete);
  EXPECT_EQ(request.size, bytes.size());
  EXPECT_EQ(to_string(*request.target), "example.test:443");
}

TEST(SocksRequest, SeesAnAddressWrittenAsAName) {
  const SocksRequest request = parse_socks_request(name_request("10.0.0.1"));
  ASSERT_EQ(request.progress, SocksProgress::complete);
  EXPECT_EQ(request.target->host.form, HostForm::ipv4);
}

TEST(SocksRequest, NeedsMoreUntilItIsWhole) {
  for (const std::string& whole : {"\x05\x01\x00\x01\x7F\x00\x00\x01\x1F\x90"s, name_request("a.test")}) {
    for (std::size_t size = 0; size < whole.size(); ++size)
      EXPECT_EQ(parse_socks_request(whole.substr(0, size)).progress, SocksProgress::need_more) << size;
  }
}

struct Refused {
  const char* what;
  std::string bytes;
  SocksReply reply;
};

TEST(SocksRequest, IsRefusedWithItsReply) {
  const Refused rows[] = {
      {"another version", "\x04\x01\x00\x01"s, SocksReply::general_failure},
      {"BIND", "\x05\x02\x00\x01"s, SocksReply::command_not_supported},
      {"UDP", "\x05\x03\x00\x01"s, SocksReply::command_not_supported},
      {"command 0", "\x05\x00\x00\x01"s, SocksReply::command_not_supported},
      {"a reserved byte", "\x05\x01\x01\x01"s, SocksReply::general_failure},
      {"IPv6", "\x05\x01\x00\x04"s, SocksReply::address_type_not_supported},
      {"an unknown address type", "\x05\x01\x00\x02"s, SocksReply::address_type_not_supported},
      {"an empty name", name_request(""), SocksReply::general_failure},
      {"port 0", name_request("a.test", "\0\0"s), SocksReply::general_failure},
      {"port 0 of an address", "\x05\x01\x00\x01\x7F\x00\x00\x01\x00\x00"s, SocksReply::general_failure},
      {"a colon in the name", name_request("a.test:80"), SocksReply::general_failure},
      {"an IPv6 literal as a name", name_request("[::1]"), SocksReply::general_failure},
      {"an IPv6 address as a name", name_request("::1"), SocksReply::general_failure},
      {"a NUL in the name", name_request("a.test\0.b.test"s), SocksReply::general_failure},
      {"a newline in the name", name_request("a\r\nb"), SocksReply::general_failure},
      {"a number as a name", name_request("2130706433"), SocksReply::general_failure},
      {"a short address as a name", name_request("127.1"), SocksReply::general_failure},
      {"254 bytes",
       name_request(std::string(60, 'a') + '.' + std::string(60, 'a') + '.' + std::string(60, 'a') + '.' +
                    std::string(60, 'a') + '.' + std::string(10, 'a')),
       SocksReply::general_failure},
  };
  for (const Refused& row : rows) {
    const SocksRequest request = parse_socks_request(row.bytes);
    EXPECT_EQ(request.progress, SocksProgress::refused) << row.what;
    EXPECT_EQ(request.reply, row.reply) << row.what;
  }
}

TEST(SocksAnswer, HoldsItsCodeAndNoAddress) {
  EXPECT_EQ(socks_answer(SocksReply::connection_refused), "\x05\x05\x00\x01\x00\x00\x00\x00\x00\x00"s);
}

TEST(SocksAnswer, TellsHowAConnectionFailed) {
  EXPECT_EQ(socks_reply_for(ECONNREFUSED), SocksReply::connection_refused);
  for (const int error : {ETIMEDOUT, EHOSTUNREACH, ENETUNREACH})
    EXPECT_EQ(socks_reply_for(error), SocksReply::host_unreachable);
  EXPECT_EQ(socks_reply_for(EMFILE), SocksReply::general_failure);
}

}  // namespace
}  // namespace agentrun::proxy
