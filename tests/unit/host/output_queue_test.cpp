#include "process/output_queue.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>

#include <csignal>

#include "system/descriptor.hpp"
#include "temp_dir.hpp"

namespace agentrun::host {
namespace {

std::string read_available(int fd, std::size_t limit) {
  std::string text(limit, '\0');
  const ssize_t count = ::read(fd, text.data(), text.size());
  text.resize(count > 0 ? static_cast<std::size_t>(count) : 0);
  return text;
}

TEST(OutputQueue, NeverBlocksOnAFullPipe) {
  auto pipe = make_pipe();
  ASSERT_TRUE(pipe);
  OutputQueue queue(pipe->write.get());
  const std::string block(std::size_t{3} << 20, 'x');
  queue.push(block);
  EXPECT_TRUE(queue.full());
  queue.flush();
  EXPECT_FALSE(queue.empty());
  EXPECT_FALSE(queue.broken());

  std::size_t received = 0;
  while (received < block.size()) {
    received += read_available(pipe->read.get(), 65536).size();
    queue.flush();
  }
  EXPECT_EQ(received, block.size());
  EXPECT_TRUE(queue.empty());
}

TEST(OutputQueue, NeverBlocksOnAFullSocket) {
  int ends[2];
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
  const Descriptor one(ends[0]);
  const Descriptor other(ends[1]);
  OutputQueue queue(one.get());
  queue.push(std::string(std::size_t{8} << 20, 'x'));
  queue.flush();
  EXPECT_FALSE(queue.empty());
  EXPECT_FALSE(queue.broken());
}

TEST(OutputQueue, BreaksWhenTheReaderIsGoneAndDropsTheRest) {
  ::signal(SIGPIPE, SIG_IGN);
  auto pipe = make_pipe();
  ASSERT_TRUE(pipe);
  OutputQueue queue(pipe->write.get());
  pipe->read.reset();
  queue.push("text");
  queue.flush();
  EXPECT_TRUE(queue.broken());
  queue.push("more");
  EXPECT_TRUE(queue.empty());
}

TEST(OutputQueue, BreaksOnAFullDiskWithItsError) {
  const Descriptor full(::open("/dev/full", O_WRONLY | O_CLOEXEC));
  OutputQueue queue(full.get());
  queue.push("text");
  queue.flush();
  EXPECT_EQ(queue.error(), ENOSPC);
}

TEST(OutputQueue, WritesToAFileAtOnce) {
  const testing::TempDir directory;
  const auto path = directory.write("out", "");
  const Descriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  OutputQueue queue(file.get());
  queue.push(std::string(100000, 'y'));
  queue.flush();
  EXPECT_EQ(testing::read_file(path).size(), 100000U);
}

}  // namespace
}  // namespace agentrun::host
