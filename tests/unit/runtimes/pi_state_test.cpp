#include "pi/state.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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
  const auto writable = writable_state(state.path());
  ASSERT_TRUE(writable.has_value());
  EXPECT_EQ(writable->directory, state.path());
  EXPECT_THAT(writable->writable_entries, ElementsAre("auth.json", "auth.json.lock", "models-store.json",
                                                      "models-store.json.lock", "settings.json.lock"));
  EXPECT_EQ(writable->target, std::nullopt);
}

TEST(PiState, IsNamedByItsRealPath) {
  const testing::TempDir root;
  std::filesystem::create_directory_symlink(root.make("real"), root / "link");
  EXPECT_EQ(writable_state(root / "link")->directory, root / "real");
}

TEST(PiState, FollowsALoginFileThatIsALink) {
  const testing::TempDir root;
  const auto login = root.write("secrets/pi.json", R"({"anthropic":{"type":"api_key","key":"k"}})");
  root.make("state");
  std::filesystem::create_symlink("../secrets/pi.json", root / "state/auth.json");
  const auto writable = writable_state(root / "state");
  ASSERT_TRUE(writable.has_value());
  EXPECT_EQ(writable->target, login);
}

TEST(PiState, RefusesALoginLinkToAnythingElse) {
  for (const char* content :
       {"export PATH=/evil\n", "", "{}", "[]", R"({"scripts":{"test":"make"}})", R"({"a":{"type":"x"},"b":"c"})"}) {
    const testing::TempDir root;
    root.write("target", content);
    std::filesystem::create_symlink(root / "target", root / "auth.json");
    const auto refused = writable_state(root.path());
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
  const auto writable = writable_state(root / "state");
  ASSERT_TRUE(writable.has_value());
  EXPECT_EQ(writable->target, login);
}

TEST(PiState, RefusesALoginLinkToNothingOrADirectory) {
  const testing::TempDir root;
  std::filesystem::create_symlink(root / "missing", root / "auth.json");
  EXPECT_FALSE(writable_state(root.path()).has_value());
  root.make("missing");
  EXPECT_FALSE(writable_state(root.path()).has_value());
}

class PiPlan : public ::testing::Test {
 protected:
  [[nodiscard]] Result<Launch> plan(bool sandboxed) {
    environment_.set("HOME", home_.path().string());
    return PiRuntime().plan(LaunchContext{arguments_, prompt_, environment_, "/w", "/s", "/p", {}, sandboxed});
  }

  testing::TempDir home_;
  RunArguments arguments_;
  std::string prompt_ = "do it";
  Environment environment_;
};

TEST_F(PiPlan, HidesWhatWouldReachTheModel) {
  const auto launch = plan(true);
  ASSERT_TRUE(launch.has_value());
  const std::filesystem::path state = home_ / ".pi/agent";
  EXPECT_THAT(launch->hide, ElementsAre(state / "SYSTEM.md", state / "APPEND_SYSTEM.md"));
  ASSERT_EQ(launch->required.size(), 1U);
  EXPECT_EQ(launch->required[0].name, "pi state directory");
  EXPECT_EQ(launch->required[0].path, state);
  ASSERT_TRUE(launch->state.has_value());
  EXPECT_EQ(launch->standard_input, "");
}

TEST_F(PiPlan, LeavesTheStateDirectoryAloneWithoutASandbox) {
  const auto launch = plan(false);
  ASSERT_TRUE(launch.has_value());
  EXPECT_FALSE(launch->state.has_value());
  EXPECT_TRUE(launch->hide.empty());
}

TEST_F(PiPlan, IsRefusedForALoginFileThatAnAgentCouldHaveReplaced) {
  home_.write(".bashrc", "echo hello\n");
  home_.make(".pi/agent");
  std::filesystem::create_symlink(home_ / ".bashrc", home_ / ".pi/agent/auth.json");
  EXPECT_FALSE(plan(true).has_value());
  EXPECT_TRUE(plan(false).has_value());
}

}  // namespace
}  // namespace agentrun::pi
