#include "codex/runtime.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "planning.hpp"

namespace agentrun::codex {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::Planning;

class CodexRuntimePlan : public ::testing::Test {
 protected:
  CodexRuntimePlan() {
    planning_.environment.set("HOME", (planning_.root / "home").string());
    planning_.root.write("home/.codex/auth.json", "{}");
    planning_.homes = {planning_.root / "session-codex"};
  }
  void network(NetworkMode mode) {
    std::vector<HostRule> rules;
    if (mode == NetworkMode::custom) rules.push_back(parse_host_rule("a.test").value());
    planning_.policy = planning_.policy_with(NetworkPolicy::make(mode, std::move(rules), {}).value());
  }
  [[nodiscard]] Result<Needs> needs() { return runtime_.needs(planning_.needs()); }

  Planning planning_;
  CodexRuntime runtime_;
};

TEST_F(CodexRuntimePlan, HasAPrivateHomeBesideTheSessionWithALinkToTheLogin) {
  const auto needs = this->needs();
  ASSERT_TRUE(needs);
  ASSERT_EQ(needs->homes.size(), 1U);
  const PrivateHome& home = needs->homes[0];
  EXPECT_EQ(home.directory, "codex");
  EXPECT_TRUE(home.beside);
  EXPECT_EQ(home.variable, "CODEX_HOME");
  ASSERT_EQ(home.links.size(), 1U);
  EXPECT_EQ(home.links[0].name, "auth.json");
  EXPECT_EQ(home.links[0].target, planning_.root / "home/.codex/auth.json");
}

TEST_F(CodexRuntimePlan, NeedsALoginUnlessTheCallerBringsIt) {
  planning_.environment.set("CODEX_HOME", "/nowhere");
  EXPECT_EQ(needs().error().code, ErrorCode::not_found);
  EXPECT_EQ(needs().error().message, "codex login file /nowhere/auth.json not found");
  planning_.login_given = true;
  EXPECT_TRUE(needs());
}

TEST_F(CodexRuntimePlan, UsesTheProxyWithListedHostsOnly) {
  for (const NetworkMode mode : {NetworkMode::none, NetworkMode::full}) {
    network(mode);
    EXPECT_EQ(needs()->proxy, ProxyUse::none);
    EXPECT_THAT(needs()->services.hosts, IsEmpty());
  }
  network(NetworkMode::custom);
  EXPECT_EQ(needs()->proxy, ProxyUse::process);
  EXPECT_THAT(needs()->services.hosts,
              ElementsAre("chatgpt.com", "ab.chatgpt.com", "auth.openai.com", "api.openai.com"));
}

TEST_F(CodexRuntimePlan, RefusesArgumentsThatReplaceItsSandboxWhereItHasOne) {
  planning_.arguments.extra = {"--sandbox", "danger-full-access"};
  EXPECT_EQ(needs().error().code, ErrorCode::usage);
  planning_.sandboxed = false;
  EXPECT_TRUE(needs());
}

TEST_F(CodexRuntimePlan, PassesThePromptOnStandardInput) {
  const auto launch = runtime_.plan(planning_.launch());
  EXPECT_EQ(launch->standard_input, "do it");
  EXPECT_FALSE(launch->prompt_argument);
  EXPECT_EQ(launch->own_arguments_at, 1U);
  EXPECT_FALSE(launch->record);
}

TEST_F(CodexRuntimePlan, KeepsTheSessionsOfItsHomeWhenAskedTo) {
  planning_.arguments.keep_session = true;
  const auto record = runtime_.plan(planning_.launch())->record;
  ASSERT_TRUE(record);
  EXPECT_EQ(record->directory, planning_.homes[0]);
  EXPECT_THAT(record->entries, ElementsAre("sessions"));
  EXPECT_EQ(record->id, "");
  planning_.arguments.resume = "01a2";
  EXPECT_EQ(runtime_.plan(planning_.launch())->record->id, "01a2");
}

TEST(CodexRuntimeTraits, LoseTheVariablesThatChangeItsLogin) {
  const RuntimeTraits traits = CodexRuntime().traits();
  EXPECT_THAT(traits.removed_variables, ElementsAre("CODEX_API_KEY", "OPENAI_API_KEY", "OPENAI_BASE_URL"));
  EXPECT_THAT(traits.backends, ElementsAre("codex"));
  EXPECT_TRUE(traits.confines_itself);
}

}  // namespace
}  // namespace agentrun::codex
