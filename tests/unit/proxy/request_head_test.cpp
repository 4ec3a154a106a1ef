#include "request_head.hpp"

#include <gtest/gtest.h>

#include <string>

namespace agentrun::proxy {
namespace {

using namespace std::string_literals;

HeadProgress parse_whole(std::string_view bytes) {
  RequestHeadParser parser;
  return parser.feed(bytes);
}

HeadProgress parse_byte_by_byte(std::string_view bytes) {
  RequestHeadParser parser;
  for (std::size_t size = 1; size <= bytes.size(); ++size) {
    const HeadProgress progress = parser.feed(bytes.substr(0, size));
    if (progress != HeadProgress::need_more) return progress;
  }
  return HeadProgress::need_more;
}

/// A head of exactly `size` bytes.
std::string head_of_size(std::size_t size) {
  const std::string start = "GET http://a.test/ HTTP/1.1\r\nHost: a.test\r\nX: ";
  const std::string end = "\r\n\r\n";
  return start + std::string(size - start.size() - end.size(), 'x') + end;
}

TEST(RequestHead, IsTakenApart) {
  const std::string bytes = "GET http://a.test/x HTTP/1.1\r\nHost: a.test\r\nEmpty:\r\nPadded: \t v \t\r\n\r\nbody";
  RequestHeadParser parser;
  ASSERT_EQ(parser.feed(bytes), HeadProgress::complete);
  const RequestHead head = parser.head(bytes);
  EXPECT_EQ(head.method, "GET");
  EXPECT_EQ(head.target, "http://a.test/x");
  EXPECT_EQ(head.version, "HTTP/1.1");
  EXPECT_EQ(bytes.substr(head.size), "body");
  ASSERT_EQ(head.fields.size(), 3U);
  EXPECT_EQ(head.fields[1].name, "Empty");
  EXPECT_EQ(head.fields[1].value, "");
  EXPECT_EQ(head.fields[2].value, "v");
}

TEST(RequestHead, SkipsOneEmptyLineBeforeTheRequest) {
  const std::string bytes = "\r\nGET http://a.test/ HTTP/1.0\r\n\r\n";
  RequestHeadParser parser;
  ASSERT_EQ(parser.feed(bytes), HeadProgress::complete);
  EXPECT_EQ(parser.head(bytes).method, "GET");
  EXPECT_EQ(parser.head(bytes).size, bytes.size());
  EXPECT_EQ(parse_byte_by_byte(bytes), HeadProgress::complete);
}

TEST(RequestHead, IsCompleteByteByByteAsWell) {
  for (const char* bytes : {"GET http://a/ HTTP/1.1\r\nHost: a\r\n\r\n", "CONNECT a:443 HTTP/1.0\r\n\r\n",
                            "!#$%&'*+-.^_`|~9 http://a/ HTTP/1.1\r\nA: \x80\xFF\r\n\r\n"}) {
    EXPECT_EQ(parse_whole(bytes), HeadProgress::complete) << bytes;
    EXPECT_EQ(parse_byte_by_byte(bytes), HeadProgress::complete) << bytes;
  }
}

TEST(RequestHead, NeedsMoreUntilTheBlankLine) {
  const std::string bytes = "GET http://a/ HTTP/1.1\r\nHost: a\r\n\r\n";
  for (std::size_t size = 0; size < bytes.size(); ++size)
    EXPECT_EQ(parse_whole(bytes.substr(0, size)), HeadProgress::need_more) << size;
}

struct Malformed {
  const char* what;
  std::string bytes;
};

/// Each ends where it can be known: no byte of it too many.
const Malformed malformed_heads[] = {
    {"a first byte that is no token", "\x16"},
    {"a space first", " "},
    {"a bare newline first", "\n"},
    {"a bare return first", "\rG"},
    {"a NUL first", std::string(1, '\0')},
    {"a high byte first", "\xC3"},
    {"a second empty line", "\r\n\r"},
    {"SOCKS behind an empty line", "\r\n\x05"},
    {"a bare newline in the request line", "GET http://a/ HTTP/1.1\n"},
    {"a bare newline in a field", "GET http://a/ HTTP/1.1\r\nHost: a\n"},
    {"a bare return in the request line", "GET http://a/ HTTP/1.1\r "},
    {"a bare return in a value", "GET http://a/ HTTP/1.1\r\nA: b\rc"},
    {"two returns", "GET http://a/ HTTP/1.1\r\r"},
    {"a bare newline as the blank line", "GET http://a/ HTTP/1.1\r\nHost: a\r\n\n"},
    {"NUL in a value", "GET http://a/ HTTP/1.1\r\nA: b\0"s},
    {"a control byte in a value", "GET http://a/ HTTP/1.1\r\nA: \x01"},
    {"DEL in a value", "GET http://a/ HTTP/1.1\r\nA: \x7F"},
    {"a control byte in the target", "GET http://a/\x1F"},
    {"no target", "GET HTTP/1.1\r\n"},
    {"one word", "GET\r\n"},
    {"two spaces before the target", "GET  http://a/ HTTP/1.1\r\n"},
    {"two spaces before the version", "GET http://a/  HTTP/1.1\r\n"},
    {"a tab instead of a space", "GET\thttp://a/ HTTP/1.1\r\n"},
    {"a space at the end", "GET http://a/ HTTP/1.1 \r\n"},
    {"something behind the version", "GET http://a/ HTTP/1.1 x\r\n"},
    {"a method that is no token", "G@T http://a/ HTTP/1.1\r\n"},
    {"a high byte in the target", "GET http://a/\xC3\xA4 HTTP/1.1\r\n"},
    {"HTTP/0.9", "GET http://a/\r\n"},
    {"HTTP/1.2", "GET http://a/ HTTP/1.2\r\n"},
    {"HTTP/2.0", "PRI * HTTP/2.0\r\n"},
    {"HTTP/1.10", "GET http://a/ HTTP/1.10\r\n"},
    {"HTTP/01.1", "GET http://a/ HTTP/01.1\r\n"},
    {"a lower-case version", "GET http://a/ http/1.1\r\n"},
    {"a folded line", "GET http://a/ HTTP/1.1\r\nA: b\r\n c\r\n"},
    {"a folded line with a tab", "GET http://a/ HTTP/1.1\r\nA: b\r\n\tc: d\r\n"},
    {"a first field that begins with a space", "GET http://a/ HTTP/1.1\r\n Host: a\r\n"},
    {"a space before the colon", "GET http://a/ HTTP/1.1\r\nHost : a\r\n"},
    {"a tab before the colon", "GET http://a/ HTTP/1.1\r\nHost\t: a\r\n"},
    {"a name that is no token", "GET http://a/ HTTP/1.1\r\nHo(st: a\r\n"},
    {"a high byte in a name", "GET http://a/ HTTP/1.1\r\nH\xC3\xB6st: a\r\n"},
    {"an empty name", "GET http://a/ HTTP/1.1\r\n: a\r\n"},
    {"a line without a colon", "GET http://a/ HTTP/1.1\r\nHost\r\n"},
};

TEST(RequestHead, IsMalformedAsSoonAsItIsSeen) {
  for (const Malformed& row : malformed_heads) {
    EXPECT_EQ(parse_whole(row.bytes), HeadProgress::malformed) << row.what;
    EXPECT_EQ(parse_byte_by_byte(row.bytes), HeadProgress::malformed) << row.what;
    const std::string_view without_last = std::string_view(row.bytes).substr(0, row.bytes.size() - 1);
    EXPECT_EQ(parse_whole(without_last), HeadProgress::need_more) << row.what;
  }
}

TEST(RequestHead, MayBe64KiBWithItsBlankLineAndNoByteMore) {
  EXPECT_EQ(parse_whole(head_of_size(65536)), HeadProgress::complete);
  EXPECT_EQ(parse_byte_by_byte(head_of_size(65536)), HeadProgress::complete);
  EXPECT_EQ(parse_whole(head_of_size(65536) + "more"), HeadProgress::complete);
  EXPECT_EQ(parse_whole(head_of_size(65537)), HeadProgress::too_large);
  EXPECT_EQ(parse_byte_by_byte(head_of_size(65537)), HeadProgress::too_large);
}

TEST(RequestHead, KnowsHeadEvenWhenItIsNotComplete) {
  for (const char* bytes : {"HEAD ", "\r\nHEAD http://a/ HT", "HEAD http://a/ HTTP/1.1\r\nA: \x01"}) {
    RequestHeadParser parser;
    (void)parser.feed(bytes);
    EXPECT_TRUE(parser.is_head_method(bytes)) << bytes;
  }
  for (const char* bytes : {"", "HEAD", "HEADER http://a/ HTTP/1.1\r\n", "GET http://a/ HTTP/1.1\r\n"}) {
    RequestHeadParser parser;
    (void)parser.feed(bytes);
    EXPECT_FALSE(parser.is_head_method(bytes)) << bytes;
  }
}

}  // namespace
}  // namespace agentrun::proxy
