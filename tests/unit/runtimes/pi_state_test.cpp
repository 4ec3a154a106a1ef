#include "pi/state.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "no_services.hpp"
#include "pi/runtime.hpp"
#include "temp_dir.hpp"

namespace agentrun::pi {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::filesystem::path directory_with(std::vector<Variable> variables) {
  Environment environment;
  for (const Variable& variable : variables) environment.set(variable.name, variable.value);
  const auto directory = state_directory(environment, "/work");
  return directory ? *directory : std::filesystem::path("refused: " + describe(directory.error()));
}

TEST(PiStateDirectory, LiesInTheHomeByDefault) {
  EXPECT_EQ(directory_with({{"HOME", "/home/u"}}), "/home/u/.pi/agent");
  EXPECT_EQ(directory_with({{"HOME", "/home/u"}, {"PI_CODING_AGENT_DIR", ""}}), "/home/u/.pi/agent");
}

TEST(PiStateDirectory, FollowsItsVariableAsPiReadsIt) {
  const Variable home{"HOME", "/home/u"};
  EXPECT_EQ(directory_with({home, {"PI_CODING_AGENT_DIR", "/state"}}), "/state");
  EXPECT_EQ(directory_with({home, {"PI_CODING_AGENT_DIR", "state/x/.."}}), "/work/state");
  EXPECT_EQ(directory_with({home, {"PI_CODING_AGENT_DIR", "~"}}), "/home/u");
  EXPECT_EQ(directory_with({home, {"PI_CODING_AGENT_DIR", "~/s"}}), "/home/u/s");
  EXPECT_EQ(directory_with({home, {"PI_CODING_AGENT_DIR", "~other/s"}}), "/work/~other/s");
  EXPECT_EQ(directory_with({{"PI_CODING_AGENT_DIR", "/state"}}), "/state");
}

TEST(PiStateDirectory, IsRefusedWithoutAHome) {
  EXPECT_THAT(directory_with({}).string(), HasSubstr("HOME is not set"));
  EXPECT_THAT(directory_with({{"PI_CODING_AGENT_DIR", "~/s"}}).string(), HasSubstr("--env PI_CODING_AGENT_DIR=DIR"));
}

TEST(PiState, HasFiveWritableEntries) {
  const testing::TempDir state;
  const auto writable = writable_states(state.path(), "/home/u");
  ASSERT_TRUE(writable.has_value());
  ASSERT_EQ(writable->size(), 1U);
  EXPECT_EQ(writable->front().directory, state.path());
  EXPECT_THAT(writable->front().writable_entries, ElementsAre("auth.json", "auth.json.lock", "models-store.json",
                                                              "models-store.json.lock", "settings.json.lock"));
}

TEST(PiState, IsNamedByItsRealPath) {
  const testing::TempDir root;
  std::filesystem::create_directory_symlink(root.make("real"), root / "link");
  EXPECT_EQ(writable_states(root / "link", "/home/u")->front().directory, root / "real");
}

TEST(PiState, LetsALinkedLoginFileAndItsLockBeWrittenWhereTheyLie) {
  const testing::TempDir root;
  root.write("secrets/pi.json", R"({"anthropic":{"type":"api_key","key":"k"}})");
  root.make("state");
  std::filesystem::create_symlink("../secrets/pi.json", root / "state/auth.json");
  const auto writable = writable_states(root / "state", "/home/u");
  ASSERT_TRUE(writable.has_value());
  ASSERT_EQ(writable->size(), 2U);
  EXPECT_EQ(writable->back(), (StateDirectory{root / "secrets", {"pi.json", "pi.json.lock"}}));
}

TEST(PiState, CountsALinkedLoginFileOfTheSameDirectoryAmongItsEntries) {
  const testing::TempDir root;
  root.write("work.json", R"({"anthropic":{"type":"api_key","key":"k"}})");
  std::filesystem::create_symlink("work.json", root / "auth.json");
  const auto writable = writable_states(root.path(), "/home/u");
  ASSERT_TRUE(writable.has_value());
  ASSERT_EQ(writable->size(), 1U);
  EXPECT_THAT(writable->front().writable_entries, ::testing::IsSupersetOf({"work.json", "work.json.lock"}));
}

TEST(PiState, RefusesALinkedLoginFileWhoseDirectoryHoldsTheHome) {
  const testing::TempDir root;
  root.write("pi.json", R"({"anthropic":{"type":"api_key","key":"k"}})");
  root.make("home/.pi");
  std::filesystem::create_symlink(root / "pi.json", root / "home/.pi/auth.json");
  for (const auto& home : {root.path(), root / "home"}) {
    const auto refused = writable_states(root / "home/.pi", home);
    ASSERT_FALSE(refused.has_value());
    EXPECT_THAT(refused.error().hint, HasSubstr("directory of its own"));
  }
}

TEST(PiState, RefusesALoginLinkToAnythingElse) {
  for (const char* content :
       {"export PATH=/evil\n", "", "{}", "[]", R"({"scripts":{"test":"make"}})", R"({"a":{"type":"x"},"b":"c"})"}) {
    const testing::TempDir root;
    root.write("target", content);
    std::filesystem::create_symlink(root / "target", root / "auth.json");
    const auto refused = writable_states(root.path(), "/home/u");
    ASSERT_FALSE(refused.has_value()) << content;
    EXPECT_EQ(refused.error().code, ErrorCode::untrusted);
    EXPECT_THAT(refused.error().message, HasSubstr((root / "target").string()));
    EXPECT_THAT(refused.error().message, ::testing::Not(HasSubstr("evil")));
    EXPECT_FALSE(refused.error().hint.empty());
  }
}

TEST(PiState, FollowsALinkToALoginFileWithoutLogins) {
  const testing::TempDir root;
  const auto login = root.write("elsewhere/auth.json", "{}");
  root.make("state");
  std::filesystem::create_symlink(login, root / "state/auth.json");
  EXPECT_TRUE(writable_states(root / "state", "/home/u").has_value());
}

TEST(PiState, RefusesALoginLinkToNothingOrADirectory) {
  const testing::TempDir root;
  std::filesystem::create_symlink(root / "missing", root / "auth.json");
  EXPECT_FALSE(writable_states(root.path(), "/home/u").has_value());
  root.make("missing");
  EXPECT_FALSE(writable_states(root.path(), "/home/u").has_value());
}

class PiNeeds : public ::testing::Test {
 protected:
  [[nodiscard]] Result<Needs> needs(bool sandboxed) {
    environment_.set("HOME", home_.path().string());
    return PiRuntime().needs({.arguments = arguments_,
                              .environment = environment_,
                              .services = services_,
                              .cwd = "/w",
                              .sandboxed = sandboxed});
  }

  testing::TempDir home_;
  RunArguments arguments_;
  Environment environment_;
  testing::NoServices services_;
};

TEST_F(PiNeeds, HideWhatWouldReachTheModel) {
  const auto needs = this->needs(true);
  ASSERT_TRUE(needs.has_value());
  const std::filesystem::path state = home_ / ".pi/agent";
  EXPECT_THAT(needs->hide, ElementsAre(state / "SYSTEM.md", state / "APPEND_SYSTEM.md"));
  ASSERT_EQ(needs->required.size(), 1U);
  EXPECT_EQ(needs->required[0].name, "pi state directory");
  EXPECT_EQ(needs->required[0].path, state);
  EXPECT_EQ(needs->states.size(), 1U);
}

TEST_F(PiNeeds, LeaveTheStateDirectoryAloneWithoutASandbox) {
  const auto needs = this->needs(false);
  ASSERT_TRUE(needs.has_value());
  EXPECT_TRUE(needs->states.empty());
  EXPECT_TRUE(needs->hide.empty());
}

TEST_F(PiNeeds, AreRefusedForALoginFileThatAnAgentCouldHaveReplaced) {
  home_.write(".bashrc", "echo hello\n");
  home_.make(".pi/agent");
  std::filesystem::create_symlink(home_ / ".bashrc", home_ / ".pi/agent/auth.json");
  EXPECT_FALSE(needs(true).has_value());
  EXPECT_TRUE(needs(false).has_value());
}

}  // namespace
}  // namespace agentrun::pi
