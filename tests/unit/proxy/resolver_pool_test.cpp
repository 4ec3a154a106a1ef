#include "resolver_pool.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>

#include "support/proxy_under_test.hpp"

namespace agentrun::proxy::test {
namespace {

using ::testing::Contains;

std::future<Addresses> ask(ResolverPool& pool, const std::string& name) {
  auto answer = std::make_shared<std::promise<Addresses>>();
  std::future<Addresses> future = answer->get_future();
  pool.resolve(name, [answer](Addresses addresses) { answer->set_value(std::move(addresses)); });
  return future;
}

bool is_answered(const std::future<Addresses>& answer) {
  return answer.wait_for(std::chrono::seconds(20)) == std::future_status::ready;
}

/// Names that begin with "hang" are answered when `gate` opens.
struct Hanging {
  std::shared_ptr<std::promise<void>> gate = std::make_shared<std::promise<void>>();
  std::shared_ptr<std::atomic<int>> started = std::make_shared<std::atomic<int>>(0);
  std::shared_ptr<std::atomic<int>> ended = std::make_shared<std::atomic<int>>(0);

  BlockingLookup lookup() {
    return [opened = gate->get_future().share(), begun = started, over = ended](const std::string& name) {
      ++*begun;
      if (name.starts_with("hang")) opened.wait();
      ++*over;
      return Addresses{static_cast<std::uint32_t>(name.size())};
    };
  }
};

TEST(ResolverPool, AnswersWithTheLookup) {
  ResolverPool pool([](const std::string& name) { return Addresses{static_cast<std::uint32_t>(name.size())}; });
  EXPECT_EQ(ask(pool, "four").get(), Addresses{4});
}

TEST(ResolverPool, DoesNotDelayOthersWhileANameHangs) {
  Hanging hanging;
  ResolverPool pool(hanging.lookup());
  const auto stuck = ask(pool, "hang");
  for (int i = 0; i < 20; ++i) {
    auto answer = ask(pool, "name" + std::to_string(i));
    ASSERT_TRUE(is_answered(answer)) << i;
  }
  hanging.gate->set_value();
  EXPECT_TRUE(is_answered(stuck));
}

TEST(ResolverPool, LooksAHangingNameUpOnceHoweverOftenItIsAskedFor) {
  Hanging hanging;
  ResolverPool pool(hanging.lookup());
  std::vector<std::future<Addresses>> stuck;
  for (std::size_t i = 0; i < 3 * ResolverPool::max_threads; ++i) stuck.push_back(ask(pool, "hang"));
  EXPECT_TRUE(is_answered(ask(pool, "other")));
  EXPECT_TRUE(eventually([&] { return hanging.started->load() == 2; }));
  hanging.gate->set_value();
  for (const auto& answer : stuck) EXPECT_TRUE(is_answered(answer));
  EXPECT_EQ(hanging.started->load(), 2);
}

TEST(ResolverPool, StartsNoMoreThreadsThanItsBound) {
  const std::size_t before = running_threads();
  Hanging hanging;
  ResolverPool pool(hanging.lookup());
  std::vector<std::future<Addresses>> stuck;
  for (std::size_t i = 0; i < 2 * ResolverPool::max_threads; ++i)
    stuck.push_back(ask(pool, "hang" + std::to_string(i)));
  EXPECT_TRUE(eventually([&] { return hanging.started->load() == static_cast<int>(ResolverPool::max_threads); }));
  EXPECT_LE(running_threads(), before + ResolverPool::max_threads);
  hanging.gate->set_value();
  for (const auto& answer : stuck) EXPECT_TRUE(is_answered(answer));
}

TEST(ResolverPool, HasNoThreadBeforeTheFirstName) {
  const std::size_t before = running_threads();
  ResolverPool pool(look_up_with_system);
  EXPECT_EQ(running_threads(), before);
}

TEST(ResolverPool, EndsWithoutWaitingForANameThatHangs) {
  Hanging hanging;
  bool is_answered_late = false;
  {
    ResolverPool pool(hanging.lookup());
    pool.resolve("hang", [&](const Addresses&) { is_answered_late = true; });
    ASSERT_TRUE(eventually([&] { return hanging.started->load() == 1; }));
  }
  hanging.gate->set_value();
  EXPECT_TRUE(eventually([&] { return hanging.ended->load() == 1; }));
  EXPECT_FALSE(is_answered_late);
}

TEST(ResolverPool, LeavesNoThread) {
  const std::size_t before = running_threads();
  {
    ResolverPool pool([](const std::string&) { return Addresses{}; });
    EXPECT_TRUE(is_answered(ask(pool, "name")));
  }
  EXPECT_TRUE(eventually([&] { return running_threads() == before; }));
}

TEST(SystemLookup, KnowsLocalhost) { EXPECT_THAT(look_up_with_system("localhost"), Contains(loopback)); }

}  // namespace
}  // namespace agentrun::proxy::test
