#include "run/network_feed.hpp"

#include <gtest/gtest.h>
#include <poll.h>

#include <thread>

namespace agentrun::host {
namespace {

bool readable(int fd) {
  pollfd wait{fd, POLLIN, 0};
  return ::poll(&wait, 1, 0) == 1;
}

TEST(NetworkFeed, IsReadableExactlyWhileSomethingWaits) {
  const auto feed = NetworkFeed::make();
  ASSERT_TRUE(feed);
  EXPECT_FALSE(readable((*feed)->fd()));
  (*feed)->push(NetworkEvent{"a.test", 443, true, {}});
  (*feed)->push(NetworkEvent{"b.test", 80, false, DenyReason::not_allowed});
  EXPECT_TRUE(readable((*feed)->fd()));
  const auto events = (*feed)->take();
  ASSERT_EQ(events.size(), 2U);
  EXPECT_EQ(std::get<NetworkEvent>(events[1]).host, "b.test");
  EXPECT_FALSE(readable((*feed)->fd()));
}

TEST(NetworkFeed, LosesNothingBetweenThreads) {
  const auto feed = NetworkFeed::make();
  ASSERT_TRUE(feed);
  constexpr int each = 2000;
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&] {
      for (int count = 0; count < each; ++count) (*feed)->push(NetworkEvent{"a.test", 1, true, {}});
    });
  }
  std::size_t seen = 0;
  while (seen < 4U * each) {
    pollfd wait{(*feed)->fd(), POLLIN, 0};
    ASSERT_EQ(::poll(&wait, 1, 30000), 1);
    seen += (*feed)->take().size();
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(seen, 4U * each);
}

}  // namespace
}  // namespace agentrun::host
