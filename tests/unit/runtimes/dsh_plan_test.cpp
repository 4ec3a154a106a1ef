#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <simdjson.h>

#include <algorithm>

#include "dsh/patch.hpp"
#include "dsh/runtime.hpp"
#include "dsh/services.hpp"
#include "planning.hpp"

namespace agentrun {
namespace {

using dsh::DshRuntime;
using dsh::Patch;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

struct DshPlan : public ::testing::Test {
  DshPlan() { planning.homes = {planning.session / "dsh-home", planning.session / "dsh-agents-home"}; }

  [[nodiscard]] Launch plan() { return DshRuntime().plan(planning.launch()).value(); }
  [[nodiscard]] std::string patch() { return plan().files.front().content; }
  [[nodiscard]] std::string variable(std::string_view name) {
    for (const Variable& variable : plan().variables) {
      if (variable.name == name) return variable.value;
    }
    return "(not set)";
  }

  testing::Planning planning;
};

/// The rows of a patch by id, as JSON texts. The runner's is found as "insert".
std::map<std::string, std::string> rows(const std::string& text) {
  simdjson::dom::parser parser;
  std::map<std::string, std::string> found;
  for (const simdjson::dom::element row : parser.parse(text).get_array()) {
    std::string_view id;
    if (row["id"].get(id) != simdjson::SUCCESS) id = "insert";
    found[std::string(id)] = simdjson::minify(row);
  }
  return found;
}

TEST_F(DshPlan, GivesThePromptOnStandardInputAndNothingOfItInTheCommandLine) {
  planning.prompt = "--do it";
  planning.arguments.extra = {"--patch", "mine.yml"};
  const Launch launch = plan();
  EXPECT_EQ(launch.standard_input, "--do it");
  EXPECT_THAT(launch.arguments,
              ElementsAre("--profile", "headless", "--patch", (planning.session / "dsh-patch.json").string(), "--patch",
                          "mine.yml", "-"));
  EXPECT_EQ(launch.prompt_argument, std::nullopt);
}

TEST_F(DshPlan, LoadsTheRunnerThatLiesBesideTheDirectoryOfThePlugins) {
  EXPECT_THAT(rows(patch())["insert"],
              HasSubstr("file://" + (planning.root / "lib").string() + "/agentrun-dsh-runner.mjs"));
  EXPECT_EQ(rows(patch())["headless-runner"], R"({"id":"headless-runner","disabled":true})");
}

TEST(DshPatch, EscapesThePathOfTheRunner) {
  Patch patch;
  patch.runner = "/a b/ü%#?\"/r.mjs";
  EXPECT_THAT(dsh::patch_text(patch), HasSubstr(R"("file:///a%20b/%C3%BC%25%23%3F%22/r.mjs")"));
}

TEST_F(DshPlan, SwitchesOffWhatWouldBringInInstructionsOrSpeakToOthers) {
  auto found = rows(patch());
  for (const char* id : {"agent-instructions", "skill", "skill-filesystem", "tool-skill", "session-title-llm",
                         "session-telemetry-otel", "web", "web-search-deepseek", "tool-web", "command-feedback",
                         "session-log-deepseek", "plugin-package-inventory-deepseek"}) {
    EXPECT_THAT(found[id], HasSubstr(R"("disabled":true)")) << id;
  }
}

TEST_F(DshPlan, LetsSubagentsFinish) {
  EXPECT_THAT(rows(patch())["tool-subagent"], HasSubstr(R"("enableRunInBackground":false)"));
  EXPECT_THAT(rows(patch())["tool-subagent-fork"], HasSubstr(R"("enableRunInBackground":false)"));
}

TEST_F(DshPlan, TakesAllThatStartsAgentsAwayWithoutSubagents) {
  planning.arguments.subagents = false;
  auto found = rows(patch());
  for (const char* id : {"tool-subagent", "tool-subagent-fork", "tool-workflow", "tool-ralph", "subagent"}) {
    EXPECT_THAT(found[id], HasSubstr(R"("disabled":true)")) << id;
  }
}

TEST_F(DshPlan, SetsModelAndEffortOnlyWhenAsked) {
  EXPECT_THAT(patch(), Not(HasSubstr("agent-default-model")));
  EXPECT_THAT(patch(), Not(HasSubstr("llm-deepseek\"")));
  planning.arguments.model = "a\"b";
  planning.arguments.effort = "max";
  EXPECT_EQ(rows(patch())["agent-default-model"],
            R"({"id":"agent-default-model","config":{"provider":"deepseek-official","model":"a\"b"}})");
  EXPECT_EQ(rows(patch())["llm-deepseek"], R"({"id":"llm-deepseek","config":{"reasoningEffort":"max"}})");
}

TEST_F(DshPlan, RefusesAnEffortThatDshDoesNotKnow) {
  for (const char* effort : {"off", "low", "high", "max"}) {
    planning.arguments.effort = effort;
    EXPECT_TRUE(DshRuntime().check(planning.arguments)) << effort;
  }
  planning.arguments.effort = "medium";
  EXPECT_EQ(DshRuntime().check(planning.arguments).error().message,
            "--effort for dsh must be off, low, high or max, got 'medium'");
}

TEST_F(DshPlan, HasHomesOfItsOwnWithAndWithoutASandbox) {
  for (const bool sandboxed : {true, false}) {
    planning.sandboxed = sandboxed;
    const Needs needs = DshRuntime().needs(planning.needs()).value();
    ASSERT_THAT(needs.homes, SizeIs(2));
    EXPECT_EQ(needs.homes[0].variable, "DSH_HOME");
    EXPECT_EQ(needs.homes[0].directory, "dsh-home");
    EXPECT_EQ(needs.homes[1].variable, "DSH_AGENTS_HOME");
    EXPECT_EQ(needs.homes[1].directory, "dsh-agents-home");
    for (const PrivateHome& home : needs.homes) EXPECT_FALSE(home.beside) << "dsh writes there: the sandbox lets it";
  }
  EXPECT_THAT(DshRuntime().traits().removed_variables, ElementsAre("DSH_HOME", "DSH_AGENTS_HOME"));
}

TEST_F(DshPlan, HidesTheKeysThatTheUserGaveToDsh) {
  EXPECT_THAT(DshRuntime().needs(planning.needs()).value().hide, IsEmpty());
  planning.environment.set("HOME", "/home/u");
  EXPECT_THAT(DshRuntime().needs(planning.needs()).value().hide, ElementsAre("/home/u/.dsh/.credentials.yaml"));
  planning.environment.set("DSH_HOME", "mine");
  EXPECT_THAT(DshRuntime().needs(planning.needs()).value().hide, ElementsAre(planning.work / "mine/.credentials.yaml"));
}

TEST_F(DshPlan, SwitchesItsOwnSandboxOffAndTheProxyVariablesOn) {
  EXPECT_EQ(variable("DSH_PERMISSION_MODE"), "danger-full-access");
  EXPECT_EQ(variable("DSH_TELEMETRY_DISABLED"), "1");
  EXPECT_EQ(variable("NODE_USE_ENV_PROXY"), "1");
  EXPECT_EQ(variable("NODE_NO_WARNINGS"), "1");
}

TEST_F(DshPlan, ReplacesAnEmptyAddressOfTheService) {
  EXPECT_EQ(variable("DEEPSEEK_BASE_URL"), "(not set)");
  planning.environment.set("DEEPSEEK_BASE_URL", "https://a.test");
  EXPECT_EQ(variable("DEEPSEEK_BASE_URL"), "(not set)");
  planning.environment.set("DEEPSEEK_BASE_URL", "");
  EXPECT_EQ(variable("DEEPSEEK_BASE_URL"), "https://api.deepseek.com");
}

TEST_F(DshPlan, KeepsTheRecordOfTheSessionInItsHomeWhenAsked) {
  EXPECT_EQ(plan().record, std::nullopt);
  planning.arguments.keep_session = true;
  const SessionRecord record = plan().record.value();
  EXPECT_EQ(record.directory, planning.session / "dsh-home/sessions");
  EXPECT_EQ(record.id, "00000000-0000-4000-8000-000000000000");
  EXPECT_THAT(record.entries, IsEmpty());
  EXPECT_THAT(patch(), HasSubstr(R"("session":"00000000-0000-4000-8000-000000000000","resume":false)"));
}

TEST_F(DshPlan, GoesOnWithASavedSession) {
  planning.arguments.resume = "11111111-1111-4111-8111-111111111111";
  EXPECT_EQ(plan().record.value().id, "11111111-1111-4111-8111-111111111111");
  EXPECT_THAT(patch(), HasSubstr(R"("session":"11111111-1111-4111-8111-111111111111","resume":true)"));
}

TEST(DshServices, AreThePublicOnesUnlessTheEnvironmentNamesOthers) {
  Environment environment;
  EXPECT_THAT(dsh::service_hosts(environment).hosts, ElementsAre("api.deepseek.com"));
  environment.set("DEEPSEEK_BASE_URL", "");
  EXPECT_THAT(dsh::service_hosts(environment).hosts, ElementsAre("api.deepseek.com"));
  environment.set("DEEPSEEK_BASE_URL", "https://User@Model.Test/v1");
  EXPECT_THAT(dsh::service_hosts(environment).hosts, ElementsAre("model.test"));
  EXPECT_EQ(dsh::service_hosts(environment).unknown, std::nullopt);
}

TEST(DshServices, AreUnknownWhenTheAddressCannotBeRead) {
  Environment environment;
  for (const char* url : {"model.test", "https://", "https://a b", "https://[::1]/", "https://1.2.3/"}) {
    environment.set("DEEPSEEK_BASE_URL", url);
    const ServiceHosts services = dsh::service_hosts(environment);
    EXPECT_THAT(services.hosts, IsEmpty()) << url;
    ASSERT_TRUE(services.unknown) << url;
    EXPECT_EQ(services.unknown->message, "cannot tell which host dsh's model service uses from DEEPSEEK_BASE_URL");
    EXPECT_EQ(services.unknown->hint, "Use --network custom --allow-host <host of the model service>");
  }
}

TEST(DshServices, AreReachedOnPort443Only) {
  Environment environment;
  for (const auto& [url, target] :
       std::map<std::string, std::string>{{"http://model.test", "model.test:80"},
                                          {"HTTP://model.test/v1", "model.test:80"},
                                          {"https://u:1@model.test:8443/", "model.test:8443"}}) {
    environment.set("DEEPSEEK_BASE_URL", url);
    const ServiceHosts services = dsh::service_hosts(environment);
    EXPECT_THAT(services.hosts, IsEmpty()) << url;
    ASSERT_TRUE(services.unknown) << url;
    EXPECT_EQ(services.unknown->hint, "Use --network custom --allow-host " + target);
  }
  environment.set("DEEPSEEK_BASE_URL", "http://model.test:443");
  EXPECT_THAT(dsh::service_hosts(environment).hosts, ElementsAre("model.test"));
}

TEST(DshLogin, NeedsTheKeyInTheSessionEnvironment) {
  const RunArguments arguments;
  Environment environment;
  testing::NoServices services;
  const auto login = [&] { return DshRuntime().login({arguments, environment, services}).value(); };
  EXPECT_EQ(login().status, LoginReport::Status::failed);
  EXPECT_THAT(login().detail, HasSubstr("DEEPSEEK_API_KEY is not set"));
  environment.set("DEEPSEEK_API_KEY", "");
  EXPECT_EQ(login().status, LoginReport::Status::failed);
  environment.set("DEEPSEEK_API_KEY", "k");
  EXPECT_EQ(login().status, LoginReport::Status::ok);
}

}  // namespace
}  // namespace agentrun
