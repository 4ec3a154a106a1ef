#include "claude_code/session_record.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "claude_code/login.hpp"
#include "claude_code/runtime.hpp"
#include "planning.hpp"

namespace agentrun::claude_code {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Compared with what claude 2.1.332 computes.
TEST(ClaudeProject, IsNamedAfterTheDirectory) {
  EXPECT_EQ(project_name("/tmp/demo"), "-tmp-demo");
  EXPECT_EQ(project_name("/tmp/x.y_z \xC3\xA4\xF0\x9F\x98\x80"), "-tmp-x-y-z----");
  EXPECT_EQ(project_name("/" + std::string(199, 'b')), "-" + std::string(199, 'b'));
}

TEST(ClaudeProject, EndsInAHashWhereTheNameWouldBeTooLong) {
  EXPECT_EQ(project_name("/" + std::string(200, 'a')), "-" + std::string(199, 'a') + "-b6ymvl");
  std::string umlauts = "/";
  for (int i = 0; i < 150; ++i) umlauts += "\xC3\xA4";
  for (int i = 0; i < 30; ++i) umlauts += "\xF0\x9F\x98\x80";
  EXPECT_EQ(project_name(umlauts), std::string(200, '-') + "-fmyq89");
}

TEST(ClaudeConfiguration, IsWhereTheVariableSaysElseInTheHome) {
  Environment environment;
  EXPECT_FALSE(config_directory(environment, "/w").has_value());
  environment.set("HOME", "/home/u");
  EXPECT_EQ(config_directory(environment, "/w").value(), "/home/u/.claude");
  environment.set("CLAUDE_CONFIG_DIR", "conf");
  EXPECT_EQ(config_directory(environment, "/w").value(), "/w/conf");
  environment.set("CLAUDE_CONFIG_DIR", "");
  EXPECT_EQ(config_directory(environment, "/w").value(), "/home/u/.claude");
}

TEST(ClaudeRecord, IsPlannedWhenTheSessionIsKept) {
  testing::Planning planning;
  planning.environment.set("HOME", "/home/u");
  const ClaudeRuntime runtime;
  EXPECT_FALSE(runtime.plan(planning.launch())->record.has_value());

  planning.arguments.keep_session = true;
  const auto fresh = runtime.plan(planning.launch())->record;
  ASSERT_TRUE(fresh.has_value());
  EXPECT_EQ(fresh->id, "00000000-0000-4000-8000-000000000000");
  EXPECT_EQ(fresh->directory,
            std::filesystem::path("/home/u/.claude/projects") / project_name(real_path(planning.work)));
  EXPECT_THAT(fresh->entries, ElementsAre(fresh->id + ".jsonl", fresh->id));

  planning.arguments.resume = "11111111-0000-4000-8000-000000000000";
  EXPECT_EQ(runtime.plan(planning.launch())->record->id, planning.arguments.resume);
}

/// Answers every command with what the test sets.
class Answers final : public CheckServices {
 public:
  [[nodiscard]] std::optional<std::filesystem::path> find_tool(std::string_view) const override { return {}; }
  [[nodiscard]] CheckRun run(const CheckCommand& command) override {
    asked = command.argv;
    return answer;
  }
  [[nodiscard]] bool root() const noexcept override { return false; }

  CheckRun answer;
  std::vector<std::string> asked;
};

class ClaudeLogin : public ::testing::Test {
 protected:
  [[nodiscard]] LoginReport report() {
    const RunArguments arguments;
    return login_report({arguments, environment_, services_, "/opt/claude", "/w", "/scratch"});
  }
  Environment environment_;
  Answers services_;
};

TEST_F(ClaudeLogin, IsGoodWithATokenAndAsksNobody) {
  environment_.set("CLAUDE_CODE_OAUTH_TOKEN", "secret");
  const LoginReport report = this->report();
  EXPECT_EQ(report.status, LoginReport::Status::ok);
  EXPECT_EQ(report.detail, "CLAUDE_CODE_OAUTH_TOKEN is set");
  EXPECT_TRUE(services_.asked.empty());
}

TEST_F(ClaudeLogin, IsWhatClaudeSays) {
  services_.answer.exit_code = 0;
  services_.answer.output = R"({"loggedIn": true, "authMethod": "api_key"})";
  EXPECT_EQ(report().status, LoginReport::Status::ok);
  EXPECT_EQ(report().detail, "logged in (api_key)");
  EXPECT_THAT(services_.asked, ElementsAre("/opt/claude", "auth", "status"));

  services_.answer.exit_code = 1;
  services_.answer.output = R"({"loggedIn": false, "authMethod": "none"})";
  EXPECT_EQ(report().status, LoginReport::Status::failed);
  EXPECT_THAT(report().detail, HasSubstr("not logged in. Run claude auth login"));
}

TEST_F(ClaudeLogin, FailsWithTheCauseWhenClaudeCannotSay) {
  services_.answer.exit_code = 127;
  services_.answer.error = "no such library\nmore";
  EXPECT_EQ(report().status, LoginReport::Status::failed);
  EXPECT_THAT(report().detail, HasSubstr("claude auth status failed (no such library). Run claude auth login"));
  services_.answer = {};
  services_.answer.timed_out = true;
  EXPECT_THAT(report().detail, HasSubstr("did not answer in time"));
}

}  // namespace
}  // namespace agentrun::claude_code
