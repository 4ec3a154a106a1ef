#include "agentrun/explain.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "temp_dir.hpp"

namespace agentrun {
namespace {

using ::testing::HasSubstr;

/// A working directory below which everything is made.
struct Case {
  testing::TempDir root;
  std::filesystem::path work = root / "work";
  PolicyBuilder builder{(std::filesystem::create_directories(work), work)};

  Policy policy() const {
    auto built = builder.build();
    EXPECT_TRUE(built) << describe(built.error());
    return *built;
  }
};

TEST(Explain, StateEntriesCanBeWrittenAndTheirNeighboursNot) {
  Case given;
  given.root.write("state/known", "");
  given.builder.state({std::filesystem::canonical(given.root / "state"), {"lock"}});
  const Policy policy = given.policy();
  EXPECT_TRUE(explain_write(policy, given.root / "state/lock").allowed);
  EXPECT_FALSE(explain_write(policy, given.root / "state/known").allowed);
}

TEST(Explain, AHiddenPathInsideTheWorkingDirectoryIsHidden) {
  Case given;
  given.root.write("work/secret/key", "");
  given.builder.deny_read("secret", given.work);
  const Policy policy = given.policy();
  EXPECT_FALSE(explain_read(policy, given.work / "secret/key").allowed);
  EXPECT_FALSE(explain_write(policy, given.work / "secret/new").allowed);
  EXPECT_EQ(explain_read(policy, given.work / "secret").rule, "it is hidden");
  EXPECT_TRUE(explain_read(policy, given.work / "secret2").allowed);
}

TEST(Explain, APrivateTmpHasOnlyWhatMayBeWritten) {
  Case given;
  given.builder.private_tmp(true);
  const Policy policy = given.policy();
  EXPECT_FALSE(explain_read(policy, "/tmp/of-somebody").allowed);
  EXPECT_TRUE(explain_read(policy, "/tmp").allowed);
  EXPECT_TRUE(explain_read(policy, given.work / "file").allowed);
}

TEST(Explain, APathThatLeavesThroughALinkIsOutside) {
  Case given;
  std::filesystem::create_directory(given.root / "out");
  std::filesystem::create_symlink(given.root / "out", given.work / "link");
  EXPECT_FALSE(explain_write(given.policy(), given.work / "link/new").allowed);
}

Explanation connect(NetworkMode mode, const std::vector<const char*>& rules, const char* host, std::uint16_t port) {
  std::vector<HostRule> parsed;
  for (const char* rule : rules) parsed.push_back(*parse_host_rule(rule));
  return explain_connect(*NetworkPolicy::make(mode, parsed, {}), *parse_host(host), port);
}

TEST(Explain, HostsAreJudgedAsTheProxyJudgesThem) {
  EXPECT_FALSE(connect(NetworkMode::none, {}, "a.test", 443).allowed);
  EXPECT_TRUE(connect(NetworkMode::full, {}, "a.test", 25).allowed);
  EXPECT_TRUE(connect(NetworkMode::full, {}, "8.8.8.8", 53).allowed);
  EXPECT_THAT(connect(NetworkMode::full, {}, "10.1.2.3", 80).rule, HasSubstr("--allow-host 10.1.2.3 does"));
  EXPECT_TRUE(connect(NetworkMode::custom, {"10.1.2.3"}, "10.1.2.3", 80).allowed);
  EXPECT_THAT(connect(NetworkMode::custom, {"a.test"}, "a.test", 8080).rule, HasSubstr("with port 8080"));
  EXPECT_FALSE(connect(NetworkMode::custom, {"*.a.test"}, "a.test", 443).allowed);
  EXPECT_TRUE(connect(NetworkMode::custom, {"*.a.test"}, "B.a.test.", 443).allowed);
  EXPECT_THAT(connect(NetworkMode::full, {}, "[::1]", 443).rule, HasSubstr("IPv6"));
}

}  // namespace
}  // namespace agentrun
