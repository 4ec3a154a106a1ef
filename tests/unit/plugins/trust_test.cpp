#include "plugins/trust.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plugin_directory.hpp"

namespace agentrun::host {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using Type = PathFacts::Type;

constexpr std::uint32_t user = 1000;

PathFacts directory(const char* path, std::uint32_t owner, std::uint32_t mode) {
  return {path, Type::directory, owner, mode, {}};
}

/// /, /home, /home/u, /home/u/p, /home/u/p/f.so: trusted as it is.
PathWalk trusted() {
  return {.steps = {directory("/", 0, 0755), directory("/home", 0, 0755), directory("/home/u", user, 0700),
                    directory("/home/u/p", user, 0755), PathFacts{"/home/u/p/f.so", Type::file, user, 0644, {}}},
          .real = "/home/u/p/f.so"};
}

std::string reason(const PathWalk& walk) {
  const auto judged = judge_steps(walk, user);
  return judged ? "trusted" : describe(judged.error());
}

TEST(PluginTrust, AcceptsWhatOnlyRootAndTheUserCanWrite) { EXPECT_EQ(reason(trusted()), "trusted"); }

TEST(PluginTrust, RefusesAnotherOwnerOnEveryStep) {
  for (std::size_t i = 0; i < trusted().steps.size(); ++i) {
    PathWalk walk = trusted();
    walk.steps[i].owner = 1001;
    EXPECT_THAT(reason(walk), HasSubstr("'" + walk.steps[i].path.string() + "' belongs to user 1001"));
  }
}

TEST(PluginTrust, RefusesWhatTheGroupOrEverybodyCanWriteOnEveryStep) {
  for (std::size_t i = 0; i < trusted().steps.size(); ++i) {
    for (const std::uint32_t bit : {0020U, 0002U}) {
      PathWalk walk = trusted();
      walk.steps[i].mode |= bit;
      EXPECT_THAT(reason(walk), HasSubstr("'" + walk.steps[i].path.string() + "' can be written by " +
                                          (bit == 0020U ? "its group" : "every user")));
    }
  }
}

TEST(PluginTrust, NamesOneCommandThatClosesAllOfIt) {
  PathWalk walk = trusted();
  walk.steps[3].mode = 0775;
  walk.steps[4].mode = 0664;
  EXPECT_THAT(reason(walk), HasSubstr("Run: chmod go-w /home/u/p /home/u/p/f.so"));
  walk.steps[1].mode = 0775;
  EXPECT_THAT(reason(walk), HasSubstr("Run: sudo chmod go-w /home /home/u/p /home/u/p/f.so"));
}

TEST(PluginTrust, QuotesPathsInTheCommand) {
  PathWalk walk = trusted();
  walk.steps[4].path = "/home/u/p/a b.so";
  walk.steps[4].mode = 0666;
  EXPECT_THAT(reason(walk), HasSubstr("Run: chmod go-w '/home/u/p/a b.so'"));
}

TEST(PluginTrust, AcceptsAStickyAncestorOfRoot) {
  PathWalk walk = trusted();
  walk.steps[1].mode = 01777;
  EXPECT_EQ(reason(walk), "trusted");
}

TEST(PluginTrust, RefusesAStickyAncestorOfTheUser) {
  PathWalk walk = trusted();
  walk.steps[2].mode = 01777;
  EXPECT_THAT(reason(walk), HasSubstr("'/home/u' can be written by every user"));
}

TEST(PluginTrust, RefusesAFileRightInsideAStickyDirectory) {
  const PathWalk walk = {
      .steps = {directory("/", 0, 0755), directory("/tmp", 0, 01777), {"/tmp/f.so", Type::file, user, 0644, {}}},
      .real = "/tmp/f.so"};
  EXPECT_THAT(reason(walk), HasSubstr("'/tmp' can be written by every user"));
  EXPECT_THAT(reason(walk), Not(HasSubstr("chmod")));
}

TEST(PluginTrust, RefusesALinkOfAnotherUser) {
  PathWalk walk = trusted();
  walk.steps.insert(walk.steps.begin() + 2, PathFacts{"/home/l", Type::link, 1001, 0777, "/home/u"});
  EXPECT_THAT(reason(walk), HasSubstr("'/home/l' belongs to user 1001"));
  walk.steps[2].owner = user;
  EXPECT_EQ(reason(walk), "trusted");
}

TEST(PluginTrust, RefusesWhatIsNoRegularFile) {
  for (const Type type : {Type::directory, Type::other, Type::link}) {
    PathWalk walk = trusted();
    walk.steps.back().type = type;
    EXPECT_THAT(reason(walk), HasSubstr("is not a regular file"));
  }
}

TEST(PluginTrust, DoesNotTrustTheUsersFilesWhenRootRuns) { EXPECT_FALSE(judge_steps(trusted(), 0)); }

TEST(PluginPlace, IsOutsideOfWhatTheAgentMayWrite) {
  const PathWalk walk = trusted();
  EXPECT_TRUE(judge_place(walk, {}));
  EXPECT_TRUE(judge_place(walk, {"/home/u/project", "/home/u/p2"}));
  for (const char* writable : {"/home/u/p", "/home/u", "/", "/home/u/p/"}) {
    const auto judged = judge_place(walk, {"/elsewhere", writable});
    ASSERT_FALSE(judged) << writable;
    EXPECT_EQ(judged.error().code, ErrorCode::untrusted);
    EXPECT_THAT(judged.error().message, HasSubstr("where the agent may write"));
  }
}

TEST(PluginPlace, OfALinkCountsToo) {
  PathWalk walk = trusted();
  walk.steps.insert(walk.steps.begin() + 1, PathFacts{"/work/l.so", Type::link, user, 0777, "/home/u/p/f.so"});
  const auto judged = judge_place(walk, {"/work"});
  ASSERT_FALSE(judged);
  EXPECT_THAT(judged.error().message, HasSubstr("'/work/l.so' lies in '/work'"));
}

}  // namespace
}  // namespace agentrun::host
