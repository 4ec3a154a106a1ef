#include "codex/arguments.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "planning.hpp"

namespace agentrun::codex {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::Planning;
using Arguments = std::vector<std::string>;

bool holds(const Arguments& arguments, const Arguments& part) {
  return std::search(arguments.begin(), arguments.end(), part.begin(), part.end()) != arguments.end();
}

class CodexArguments : public ::testing::Test {
 protected:
  [[nodiscard]] CommandLine line() { return command_line(planning_.launch()); }
  [[nodiscard]] Arguments arguments() { return line().arguments; }

  Planning planning_;
};

TEST_F(CodexArguments, RunWithoutTheUsersOwnConfigurationAndReadThePromptFromStandardInput) {
  const CommandLine line = this->line();
  const Arguments begin(line.arguments.begin(), line.arguments.begin() + 7);
  EXPECT_THAT(begin, ElementsAre("exec", "--json", "--skip-git-repo-check", "--ignore-user-config", "--ignore-rules",
                                 "-C", planning_.work.native()));
  EXPECT_EQ(line.arguments.back(), "-");
  EXPECT_EQ(line.sandbox_at, 1U);
  for (const char* setting :
       {R"(approval_policy="never")", R"(web_search="disabled")", "project_doc_max_bytes=0",
        "skills.include_instructions=false", "skills.bundled.enabled=false", "allow_login_shell=false",
        "analytics.enabled=false", "features.hooks=false", "features.apps=false", "features.memories=false",
        "features.unbounded_connection_retries=false"}) {
    EXPECT_TRUE(holds(line.arguments, {"-c", setting})) << setting;
  }
  // Both would switch agentrun's profile or the subagents off.
  EXPECT_THAT(line.arguments, AllOf(Not(Contains("--sandbox")), Not(Contains("--ephemeral"))));
}

TEST_F(CodexArguments, LeaveTheProfileToTheBackend) {
  EXPECT_THAT(arguments(), Not(Contains(HasSubstr("permissions"))));
  planning_.sandboxed = false;
  EXPECT_TRUE(holds(arguments(), {"-c", R"(default_permissions=":danger-full-access")"}));
}

TEST_F(CodexArguments, SearchTheWebWithTheFullNetworkOnly) {
  planning_.policy = planning_.policy_with(NetworkPolicy::make(NetworkMode::full, {}, {}).value());
  EXPECT_TRUE(holds(arguments(), {"-c", R"(web_search="live")"}));
  planning_.policy =
      planning_.policy_with(NetworkPolicy::make(NetworkMode::custom, {parse_host_rule("a.test").value()}, {}).value());
  EXPECT_TRUE(holds(arguments(), {"-c", R"(web_search="disabled")"}));
}

TEST_F(CodexArguments, PassModelEffortAndImages) {
  planning_.arguments.model = "gpt-x";
  planning_.arguments.effort = "high";
  planning_.images = {"/s/a.png", "/s/b.png"};
  const Arguments arguments = this->arguments();
  EXPECT_TRUE(holds(arguments, {"-m", "gpt-x", "-c", R"(model_reasoning_effort="high")", "-"}));
  EXPECT_TRUE(holds(arguments, {"-i", "/s/a.png", "-i", "/s/b.png", "-c"}));
}

TEST_F(CodexArguments, SwitchSubagentsOffThreeTimes) {
  EXPECT_FALSE(holds(arguments(), {"-c", "agents.enabled=false"}));
  planning_.arguments.subagents = false;
  EXPECT_TRUE(holds(arguments(), {"-c", "agents.enabled=false", "-c", "features.multi_agent=false", "-c",
                                  "features.multi_agent_v2=false"}));
}

TEST_F(CodexArguments, GoOnWithAThreadInThePlaceWhereItIsStarted) {
  planning_.arguments.resume = "01a2-b";
  planning_.arguments.extra = {"--x"};
  const CommandLine line = this->line();
  EXPECT_EQ(line.sandbox_at, 2U);
  EXPECT_TRUE(holds(line.arguments, {"exec", "resume", "--json"}));
  EXPECT_THAT(line.arguments, Not(Contains("-C")));
  EXPECT_TRUE(holds(line.arguments, {"--x", "01a2-b", "-"}));
}

TEST(CodexArgumentsCheck, RefusesAnEffortThatIsNoWord) {
  RunArguments arguments;
  arguments.effort = "high\"";
  EXPECT_EQ(check_arguments(arguments).error().message, "--effort for codex must be one word, got 'high\"'");
  arguments.effort = "";
  EXPECT_FALSE(check_arguments(arguments));
  arguments.effort = "x-high_2";
  EXPECT_TRUE(check_arguments(arguments));
}

TEST(CodexArgumentsCheck, RefusesASessionThatCouldBeAPath) {
  RunArguments arguments;
  for (const char* id : {"", "../x", "a/b", "x.jsonl", "a b"}) {
    arguments.resume = id;
    EXPECT_FALSE(check_arguments(arguments)) << id;
  }
}

TEST(CodexSandboxArguments, AreKnownWhenTheyReplaceTheSandbox) {
  const Arguments cases[] = {
      {"--dangerously-bypass-approvals-and-sandbox"},
      {"--yolo"},
      {"--full-auto"},
      {"-s", "danger-full-access"},
      {"-sdanger-full-access"},
      {"--sandbox=danger-full-access"},
      {"-c", R"(default_permissions=":danger-full-access")"},
      {R"(-cdefault_permissions=":danger-full-access")"},
      {R"(-c=default_permissions=":danger-full-access")"},
      {R"(--config=permissions.agentrun.filesystem={":root"="write"})"},
      {"--config", " sandbox_mode=\"danger-full-access\""},
      {"-c", "\"permissions\".agentrun={}"},
      {"-c", "features={network_proxy=false}"},
      {"-c", "features.network_proxy=false"},
      {"--disable", "network_proxy"},
      {"--disable=network_proxy"},
      {"-p", "mine"},
      {"--profile=mine"},
      {"-C", "/"},
      {"--cd=/"},
      {"--add-dir", "/"},
      {"-m", "x", "--worktree"},
  };
  for (const Arguments& extra : cases) EXPECT_TRUE(sandbox_override(extra)) << extra.front();
  EXPECT_EQ(sandbox_override({"-m", "x", "--yolo"}), "--yolo");
}

TEST(CodexSandboxArguments, AreNotConfusedWithOthers) {
  const Arguments cases[] = {
      {"-c", R"(model_providers.mock={name="mock", base_url="http://127.0.0.1:1/v1"})"},
      {"-c", "features.shell_tool=false"},
      {"--disable", "apps"},
      {"--skip-git-repo-check"},
      {"--output-schema", "/x"},
      {"--search"},
      {"--config-x"},
      {"-c"},
      {"--color", "never"},
      {},
  };
  for (const Arguments& extra : cases) EXPECT_FALSE(sandbox_override(extra)) << extra.size();
}

}  // namespace
}  // namespace agentrun::codex
