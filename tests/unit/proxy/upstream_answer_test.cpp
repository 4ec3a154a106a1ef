#include "upstream_answer.hpp"

#include <gtest/gtest.h>

namespace agentrun::proxy {
namespace {

using Progress = UpstreamAnswer::Progress;

struct Read {
  Progress progress = Progress::need_more;
  int status = 0;
  std::string rest;
};

Read read_whole(std::string_view bytes) {
  UpstreamAnswer answer;
  const Progress progress = answer.feed(bytes);
  return {progress, answer.status(), answer.take_rest()};
}

Read read_byte_by_byte(std::string_view bytes) {
  UpstreamAnswer answer;
  Progress progress = Progress::need_more;
  while (!bytes.empty() && progress == Progress::need_more) {
    progress = answer.feed(bytes.substr(0, 1));
    bytes.remove_prefix(1);
  }
  return {progress, answer.status(), answer.take_rest() + std::string(bytes)};
}

void expect(std::string_view bytes, Progress progress, int status = 0) {
  for (const Read& read : {read_whole(bytes), read_byte_by_byte(bytes)}) {
    EXPECT_EQ(read.progress, progress) << bytes;
    EXPECT_EQ(read.status, status) << bytes;
  }
}

TEST(UpstreamAnswers, OpenWithAny2xx) {
  for (const int status : {200, 201, 204, 206, 299})
    expect("HTTP/1.1 " + std::to_string(status) + " X\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n",
           Progress::opened, status);
  expect("HTTP/1.0 200\r\n\r\n", Progress::opened, 200);
}

TEST(UpstreamAnswers, GiveWhatCameBehindTheHead) {
  const std::string bytes = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n\r\nSSH-2.0";
  EXPECT_EQ(read_whole(bytes).rest, "\r\nSSH-2.0");
  EXPECT_EQ(read_byte_by_byte(bytes).rest, "\r\nSSH-2.0");
}

TEST(UpstreamAnswers, AreSkippedWhenInterim) {
  expect("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 101 X\r\nA: b\r\n\r\nHTTP/1.1 199\r\n\r\nHTTP/1.1 200 OK\r\n\r\n",
         Progress::opened, 200);
  expect("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 403 No\r\n\r\n", Progress::refused, 403);
  expect("HTTP/1.1 100 Continue\r\n\r\n", Progress::need_more);
  expect("HTTP/1.1 100 Continue\r\n\r\n<html>", Progress::invalid);
}

TEST(UpstreamAnswers, RefuseWithTheirStatus) {
  for (const int status : {300, 302, 400, 403, 407, 500, 503, 599, 600, 999})
    expect("HTTP/1.1 " + std::to_string(status) + " X\r\n\r\nbody", Progress::refused, status);
}

TEST(UpstreamAnswers, MayHaveFoldedLinesWhiteSpaceAndOddFields) {
  expect("HTTP/1.1 200 OK\r\nVia : a\r\n b\r\n\tc: d\r\n \r\nno field\r\n: x\r\nA\t: b\r\n\r\n", Progress::opened, 200);
  expect("HTTP/1.1 200 OK\nA: b\n\n", Progress::opened, 200);
  expect("HTTP/1.1 200 OK\r\nA: \x01\x80\r\n\r\n", Progress::opened, 200);
}

TEST(UpstreamAnswers, AreInvalidWithoutAStatus) {
  for (const char* bytes : {"SSH-2.0-x\r\n", "<", "ICY 200 OK\r\n\r\n", "HTTP/2 200\r\n\r\n", "HTTP/1.1\r\n",
                            "HTTP/1.1 20\r\n", "HTTP/1.1 2000\r\n", "HTTP/1.1  200\r\n", "HTTP/1.1 099 X\r\n",
                            "HTTP/1.1 +20\r\n", "http/1.1 200 OK\r\n", "\r\nHTTP/1.1 200 OK\r\n\r\n", "\x15\x03\x01"})
    expect(bytes, Progress::invalid);
}

TEST(UpstreamAnswers, NeedMoreUntilTheBlankLine) {
  const std::string bytes = "HTTP/1.1 200 OK\r\nA: b\r\n\r\n";
  for (std::size_t size = 0; size < bytes.size(); ++size)
    EXPECT_EQ(read_whole(bytes.substr(0, size)).progress, Progress::need_more) << size;
}

TEST(UpstreamAnswers, MayBe64KiBAndNoByteMore) {
  const auto head_of_size = [](std::size_t size) {
    const std::string start = "HTTP/1.1 200 OK\r\nX: ";
    return start + std::string(size - start.size() - 4, 'x') + "\r\n\r\n";
  };
  EXPECT_EQ(read_whole(head_of_size(65536) + "rest").progress, Progress::opened);
  EXPECT_EQ(read_whole(head_of_size(65537)).progress, Progress::invalid);
  EXPECT_EQ(read_whole("HTTP/1.1 200 OK\r\nX: " + std::string(65536, 'x')).progress, Progress::invalid);
}

}  // namespace
}  // namespace agentrun::proxy
