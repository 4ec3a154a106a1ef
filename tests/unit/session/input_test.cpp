#include "session/input.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <thread>

#include "scratch.hpp"
#include "system/file.hpp"

namespace agentrun::host {
namespace {

using std::chrono::milliseconds;
using ::testing::HasSubstr;
using testing::Scratch;

struct TestPipe {
  TestPipe() {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
    read = Descriptor(ends[0]);
    write = Descriptor(ends[1]);
  }
  Descriptor read;
  Descriptor write;
};

InputLimits impatient() {
  InputLimits limits;
  limits.bytes = 1024 * 1024;
  limits.missing_writer = milliseconds(20);
  limits.silent_writer = milliseconds(20);
  return limits;
}

/// As a shell hands over `<(command)`.
std::filesystem::path descriptor_path(const Descriptor& handle) { return "/dev/fd/" + std::to_string(handle.get()); }

TEST(InputFile, ReadsARegularFile) {
  const Scratch scratch;
  EXPECT_EQ(read_input_file(scratch.file("f", "content"), "f", impatient(), -1), "content");
  EXPECT_EQ(read_input_file(scratch.file("empty"), "f", impatient(), -1), "");
}

TEST(InputFile, TakesExactlyTheLimit) {
  const Scratch scratch;
  auto limits = impatient();
  limits.bytes = 1000;
  EXPECT_TRUE(read_input_file(scratch.file("f", std::string(1000, 'x')), "f", limits, -1));
  const auto larger = read_input_file(scratch.file("f", std::string(1001, 'x')), "f", limits, -1);
  ASSERT_FALSE(larger);
  EXPECT_EQ(larger.error().code, ErrorCode::usage);
}

TEST(InputFile, ReadsAPipeWhoseWriterHasGone) {
  TestPipe pipe;
  ASSERT_EQ(write_all(pipe.write.get(), "A=1\n"), 0);
  pipe.write = Descriptor();
  auto limits = impatient();
  limits.missing_writer = std::chrono::minutes(5);
  limits.silent_writer.reset();
  EXPECT_EQ(read_input_file(descriptor_path(pipe.read), "pipe", limits, -1), "A=1\n");
}

TEST(InputFile, WaitsForAWriterOfAFifo) {
  const Scratch scratch;
  const auto fifo = scratch.fifo("pipe");
  std::thread writer([&] {
    const Descriptor end(::open(fifo.c_str(), O_WRONLY | O_CLOEXEC));
    (void)write_all(end.get(), std::string(300'000, 'x'));
  });
  auto limits = impatient();
  limits.missing_writer = std::chrono::minutes(1);
  limits.silent_writer.reset();
  const auto content = read_input_file(fifo, "pipe", limits, -1);
  writer.join();
  ASSERT_TRUE(content) << describe(content.error());
  EXPECT_EQ(content->size(), 300'000u);
}

TEST(InputFile, GivesUpOnAFifoWithoutAWriter) {
  const Scratch scratch;
  auto limits = impatient();
  limits.silent_writer.reset();
  const auto content = read_input_file(scratch.fifo("pipe"), "--prompt-file pipe", limits, -1);
  ASSERT_FALSE(content);
  EXPECT_THAT(content.error().message, HasSubstr("--prompt-file pipe is a pipe and no data came"));
}

TEST(InputFile, GivesUpOnASilentWriterWhenAsked) {
  const TestPipe pipe;
  ASSERT_EQ(write_all(pipe.write.get(), "half a li"), 0);
  EXPECT_FALSE(read_input_file(descriptor_path(pipe.read), "pipe", impatient(), -1));
}

TEST(InputFile, StopsWaitingForASilentWriterWhenWoken) {
  const TestPipe pipe;
  const TestPipe wake;
  ASSERT_EQ(write_all(wake.write.get(), "!"), 0);
  auto limits = impatient();
  limits.silent_writer.reset();
  const auto content = read_input_file(descriptor_path(pipe.read), "pipe", limits, wake.read.get());
  ASSERT_FALSE(content);
  EXPECT_EQ(content.error().code, ErrorCode::interrupted);
}

TEST(InputFile, RefusesWhatIsNoFile) {
  const Scratch scratch;
  EXPECT_THAT(read_input_file(scratch.path(), "d", impatient(), -1).error().message, HasSubstr("Is a directory"));
  const auto missing = read_input_file(scratch / "none", "n", impatient(), -1);
  EXPECT_EQ(missing.error().code, ErrorCode::not_found);
  EXPECT_EQ(read_input_file(scratch.file("f") / "x", "n", impatient(), -1).error().code, ErrorCode::not_found);
}

TEST(Input, ReadsToTheEndOfAStream) {
  TestPipe pipe;
  const std::string sent(10 * 1024 * 1024, 'p');
  std::thread writer([&] {
    (void)write_all(pipe.write.get(), sent);
    pipe.write = Descriptor();
  });
  const auto content = read_input(pipe.read.get(), "standard input", sent.size(), -1);
  writer.join();
  ASSERT_TRUE(content) << describe(content.error());
  EXPECT_TRUE(*content == sent);
}

TEST(Input, DoesNotTouchTheFlagsOfTheDescriptor) {
  TestPipe pipe;
  pipe.write = Descriptor();
  const int before = ::fcntl(pipe.read.get(), F_GETFL);
  EXPECT_EQ(read_input(pipe.read.get(), "standard input", 10, -1), "");
  EXPECT_EQ(::fcntl(pipe.read.get(), F_GETFL), before);
}

TEST(Input, StopsWhenWokenThoughDataKeepsComing) {
  const TestPipe pipe;
  const TestPipe wake;
  ASSERT_EQ(write_all(pipe.write.get(), "data"), 0);
  ASSERT_EQ(write_all(wake.write.get(), "!"), 0);
  const auto content = read_input(pipe.read.get(), "standard input", 100, wake.read.get());
  ASSERT_FALSE(content);
  EXPECT_EQ(content.error().code, ErrorCode::interrupted);
}

TEST(Input, IsRefusedWhenTheDescriptorIsClosed) {
  int closed = -1;
  {
    const TestPipe pipe;
    closed = ::fcntl(pipe.read.get(), F_DUPFD_CLOEXEC, 900);
  }
  ASSERT_GE(closed, 900);
  ::close(closed);
  const auto content = read_input(closed, "standard input", 100, -1);
  ASSERT_FALSE(content);
  EXPECT_EQ(content.error().code, ErrorCode::io);
}

}  // namespace
}  // namespace agentrun::host
