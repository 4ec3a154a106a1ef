#include "response_head.hpp"

#include <gtest/gtest.h>

#include <string>

namespace agentrun::proxy {
namespace {

using namespace std::string_literals;

using Progress = ResponseHeadFilter::Progress;

struct Filtered {
  Progress progress = Progress::need_more;
  std::string out;
};

Filtered filter_whole(std::string_view bytes) {
  ResponseHeadFilter filter(Hop::origin);
  Filtered result;
  result.progress = filter.feed(bytes, result.out);
  return result;
}

/// As a relay does: what comes behind the final head goes through as it is.
Filtered filter_byte_by_byte(std::string_view bytes) {
  ResponseHeadFilter filter(Hop::origin);
  Filtered result;
  for (const char byte : bytes) {
    if (result.progress == Progress::invalid) break;
    if (result.progress == Progress::passed) {
      result.out += byte;
    } else {
      result.progress = filter.feed({&byte, 1}, result.out);
    }
  }
  return result;
}

void expect_passed(std::string_view bytes, std::string_view expected) {
  for (const Filtered& result : {filter_whole(bytes), filter_byte_by_byte(bytes)}) {
    EXPECT_EQ(result.progress, Progress::passed) << bytes;
    EXPECT_EQ(result.out, expected);
  }
}

TEST(ResponseHead, PassesWithItsBody) {
  expect_passed("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nab",
                "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nab");
}

TEST(ResponseHead, LosesWhatIsMeantForTheOtherConnection) {
  expect_passed(
      "HTTP/1.0 200\r\nConnection: keep-alive, X-One\r\nX-One: 1\r\nKeep-Alive: 5\r\nProxy-Authenticate: Basic\r\n"
      "Upgrade: h2\r\nTE: x\r\nTrailer: y\r\nX-Two: 2\r\n\r\n",
      "HTTP/1.0 200\r\nX-Two: 2\r\nConnection: close\r\n\r\n");
}

TEST(ResponseHead, KeepsTheFramingOfTheBody) {
  expect_passed(
      "HTTP/1.1 200 OK\r\nConnection: transfer-encoding, content-length\r\nTransfer-Encoding: chunked\r\n\r\n0",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n0");
}

TEST(ResponseHead, PassesInterimAnswers) {
  expect_passed("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 204 No\r\n\r\n",
                "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n"
                "HTTP/1.1 204 No\r\nConnection: close\r\n\r\n");
}

TEST(ResponseHead, IsLenientAboutLineEndsFoldsAndSpaces) {
  expect_passed("HTTP/1.1 200 OK\nA : b\n c\r\n\td\nno field\nE: f\n\nbody",
                "HTTP/1.1 200 OK\r\nA: b c d\r\nE: f\r\nConnection: close\r\n\r\nbody");
}

TEST(ResponseHead, NeedsMoreUntilItEnds) {
  for (const char* bytes : {"", "H", "HTTP/1.", "HTTP/1.1 200 OK", "HTTP/1.1 200\r", "HTTP/1.1 200\r\n",
                            "HTTP/1.1 200 OK\r\nA: b\r\n", "HTTP/1.1 100 Continue\r\n\r\n"})
    EXPECT_EQ(filter_whole(bytes).progress, Progress::need_more) << bytes;
}

TEST(ResponseHead, IsInvalidWithoutAStatus) {
  for (const std::string& bytes :
       {std::string("SSH-2.0-x\r\n"), std::string("<html>"), std::string("ICY 200 OK\r\n\r\n"),
        std::string("HTTP/2 200\r\n\r\n"), std::string("HTTP/1.1\r\n"), std::string("HTTP/1.1 20\r\n"),
        std::string("HTTP/1.1 2000\r\n"), std::string("HTTP/1.1 abc\r\n"), std::string("HTTP/1.1  200\r\n"),
        std::string("HTTP/1.1 099 X\r\n"), std::string("\r\nHTTP/1.1 200 OK\r\n\r\n"),
        std::string("HTTP/1.1 101 Switching Protocols\r\n\r\n"), "HTTP/1.1 200 OK\r\nA: \0\r\n\r\n"s,
        std::string("HTTP/1.1 200 O\rK\r\nA: b\r\n\r\n")}) {
    EXPECT_EQ(filter_whole(bytes).progress, Progress::invalid) << bytes;
    EXPECT_EQ(filter_byte_by_byte(bytes).progress, Progress::invalid) << bytes;
  }
}

TEST(ResponseHead, IsRefusedWhenTheUpstreamProxyWantsCredentials) {
  const std::string answer =
      "HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic\r\n\r\nproxy.corp";
  ResponseHeadFilter of_upstream(Hop::upstream);
  std::string out;
  EXPECT_EQ(of_upstream.feed(answer, out), Progress::refused);
  EXPECT_EQ(out, "");
  EXPECT_EQ(filter_whole(answer).progress, Progress::passed) << "an origin may say it";
}

TEST(ResponseHead, MayBe64KiBAndNoByteMore) {
  const auto head_of_size = [](std::size_t size) {
    const std::string start = "HTTP/1.1 200 OK\r\nX: ";
    return start + std::string(size - start.size() - 4, 'x') + "\r\n\r\n";
  };
  EXPECT_EQ(filter_whole(head_of_size(65536) + std::string(1000, 'b')).progress, Progress::passed);
  EXPECT_EQ(filter_whole(head_of_size(65537)).progress, Progress::invalid);
  EXPECT_EQ(filter_whole(head_of_size(65537).substr(0, 65536)).progress, Progress::need_more);
  EXPECT_EQ(filter_whole("HTTP/1.1 200 OK\r\nX: " + std::string(65536, 'x')).progress, Progress::invalid);
}

}  // namespace
}  // namespace agentrun::proxy
