#include "claude_code/arguments.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <simdjson.h>

#include "claude_code/path_rules.hpp"
#include "claude_code/runtime.hpp"
#include "claude_code/user_message.hpp"
#include "planning.hpp"

namespace agentrun::claude_code {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

HostRule rule(std::string host, bool wildcard = false, std::optional<std::uint16_t> port = std::nullopt) {
  return {std::move(host), wildcard, port};
}

class ClaudeCommandLine : public ::testing::Test {
 protected:
  [[nodiscard]] std::vector<std::string> line() { return command_line(planning_.launch()); }
  /// What follows `option`; "absent" without it.
  [[nodiscard]] std::string value(std::string_view option) {
    const auto all = line();
    const auto found = std::ranges::find(all, option);
    return found == all.end() || found + 1 == all.end() ? "absent" : *(found + 1);
  }
  [[nodiscard]] std::string settings() { return value("--settings"); }
  void network(NetworkMode mode, std::vector<HostRule> rules = {}) {
    planning_.policy = planning_.policy_with(NetworkPolicy::make(mode, std::move(rules), {}).value());
  }
  [[nodiscard]] std::string writes() const {
    std::string rules;
    for (const auto& directory : planning_.policy.writable()) {
      rules += ",Edit(/" + directory.native() + "/**),Write(/" + directory.native() + "/**)";
    }
    return rules;
  }

  testing::Planning planning_;
};

TEST_F(ClaudeCommandLine, IsWhatARunNeedsAndNothingOfTheUsersOwn) {
  const auto all = line();
  ASSERT_EQ(all.size(), 21U);
  EXPECT_THAT(std::vector<std::string>(all.begin(), all.begin() + 15),
              ElementsAre("-p", "--output-format", "stream-json", "--verbose", "--input-format", "stream-json",
                          "--replay-user-messages", "--permission-mode", "dontAsk", "--setting-sources", "",
                          "--strict-mcp-config", "--no-session-persistence", "--session-id",
                          "00000000-0000-4000-8000-000000000000"));
  EXPECT_THAT(std::vector<std::string>(all.begin() + 15, all.end()),
              ElementsAre("--tools", "Read,Edit,Write,Glob,Grep,Bash,Task", "--allowedTools",
                          "Read,Glob,Grep,Task,Bash" + writes(), "--settings", settings()));
}

TEST_F(ClaudeCommandLine, PutsWhatTheCallerAskedForLast) {
  planning_.arguments.model = "opus";
  planning_.arguments.effort = "high";
  planning_.arguments.max_turns = 3;
  planning_.arguments.extra = {"--model", "other"};
  const auto all = line();
  EXPECT_THAT(std::vector<std::string>(all.end() - 8, all.end()),
              ElementsAre("--model", "opus", "--effort", "high", "--max-turns", "3", "--model", "other"));
}

TEST_F(ClaudeCommandLine, AsksNobodyWithoutASandboxButDoesNotAllowCommandsEither) {
  planning_.sandboxed = false;
  EXPECT_EQ(value("--permission-mode"), "auto");
  EXPECT_EQ(value("--tools"), "Read,Edit,Write,Glob,Grep,Bash,Task");
  EXPECT_EQ(value("--allowedTools"), "Read,Edit,Write,Glob,Grep,Task");
  EXPECT_EQ(settings(), R"({"permissions":{"deny":[]},"autoMemoryEnabled":false})");
}

TEST_F(ClaudeCommandLine, TakesSubagentsOutOfBothLists) {
  planning_.arguments.subagents = false;
  EXPECT_EQ(value("--tools"), "Read,Edit,Write,Glob,Grep,Bash");
  EXPECT_EQ(value("--allowedTools"), "Read,Glob,Grep,Bash" + writes());
}

TEST_F(ClaudeCommandLine, AllowsWritesByTheRealNameAndByTheOneThatWasGiven) {
  const auto link = planning_.root / "link";
  std::filesystem::create_directory_symlink(planning_.work, link);
  planning_.work = link;
  EXPECT_EQ(value("--allowedTools"), "Read,Glob,Grep,Task,Bash" + writes() + ",Edit(/" + link.native() +
                                         "/**),Write(/" + link.native() + "/**)");
}

TEST_F(ClaudeCommandLine, HasWebToolsWithAnOpenNetwork) {
  network(NetworkMode::full);
  EXPECT_EQ(value("--tools"), "Read,Edit,Write,Glob,Grep,Bash,Task,WebFetch,WebSearch");
  EXPECT_EQ(value("--allowedTools"), "Read,Glob,Grep,Task,Bash" + writes() + ",WebFetch,WebSearch");
}

TEST_F(ClaudeCommandLine, FetchesFromTheListedHostsOnlyAndDoesNotSearch) {
  network(NetworkMode::custom, {rule("a.test"), rule("a.test", false, 8080), rule("b.test", true)});
  EXPECT_EQ(value("--tools"), "Read,Edit,Write,Glob,Grep,Bash,Task,WebFetch");
  EXPECT_EQ(value("--allowedTools"),
            "Read,Glob,Grep,Task,Bash" + writes() + ",WebFetch(domain:a.test),WebFetch(domain:*.b.test)");
}

TEST_F(ClaudeCommandLine, KeepsOrResumesASession) {
  planning_.arguments.keep_session = true;
  EXPECT_THAT(line(), Not(Contains("--no-session-persistence")));
  EXPECT_EQ(value("--session-id"), "00000000-0000-4000-8000-000000000000");
  planning_.arguments.resume = "11111111-0000-4000-8000-000000000000";
  EXPECT_EQ(value("--resume"), "11111111-0000-4000-8000-000000000000");
  EXPECT_THAT(line(), Not(Contains("--session-id")));
}

TEST_F(ClaudeCommandLine, TurnsItsSandboxOnAndCutsTheNetwork) {
  const auto& writable = planning_.policy.writable();
  EXPECT_EQ(settings(), R"({"sandbox":{"enabled":true,"failIfUnavailable":true,"autoAllowBashIfSandboxed":true,)"
                        R"("allowUnsandboxedCommands":false,"filesystem":{"allowWrite":[")" +
                            writable.at(0).native() + R"(",")" + writable.at(1).native() +
                            R"("],"denyRead":[]},"network":{"allowedDomains":[]}},"permissions":{"deny":[]},)" +
                            R"("autoMemoryEnabled":false,"autoMemoryDirectory":")" +
                            (planning_.session / "memory").native() + R"("})");
}

TEST_F(ClaudeCommandLine, PassesTheProxysPortToItsSandbox) {
  network(NetworkMode::full);
  planning_.network = {NetworkAccess::Kind::proxied, 4711, {}};
  EXPECT_THAT(settings(), HasSubstr(R"("network":{"allowedDomains":[],"httpProxyPort":4711,"socksProxyPort":4711})"));
  planning_.network.port = 0;
  EXPECT_THAT(settings(), HasSubstr(R"("httpProxyPort":<proxy port>)"));
}

TEST_F(ClaudeCommandLine, DeniesReadsToCommandsAndToItsOwnToolsWhetherThePathExistsOrNot) {
  const auto there = planning_.root.make("there");
  std::filesystem::create_directory_symlink(there, planning_.root / "link");
  const std::string link = (planning_.root / "link").native();
  planning_.policy = planning_.policy_with({}, {"/no/such", link});
  const std::string real = std::filesystem::canonical(there).native();
  EXPECT_THAT(settings(), HasSubstr(R"("denyRead":["/no/such",")" + link + R"(",")" + real + R"("])"));
  std::string rules;
  for (const std::string& path : {std::string("/no/such"), link, real}) {
    rules += (rules.empty() ? "\"" : ",\"") + rule_for("Read", path) + "\",\"" + rule_below("Read", path) + '"';
  }
  EXPECT_THAT(settings(), HasSubstr("\"permissions\":{\"deny\":[" + rules + "]}"));
  planning_.sandboxed = false;
  EXPECT_THAT(settings(), HasSubstr("\"Read(//no/such)\""));
  EXPECT_THAT(settings(), Not(HasSubstr("denyRead")));
}

TEST_F(ClaudeCommandLine, GivesValidSettingsForAnyPath) {
  planning_.policy = planning_.policy_with({}, {"/a \"q\" \\ (b) [c]*?{d},é\n"});
  simdjson::dom::parser parser;
  simdjson::dom::element json;
  ASSERT_EQ(parser.parse(settings()).get(json), simdjson::SUCCESS);
  EXPECT_EQ(json["sandbox"]["filesystem"]["denyRead"].at(0).get_string().value(), "/a \"q\" \\ (b) [c]*?{d},é\n");
}

TEST(ClaudePathRules, TakeEverythingInAPathLiterally) {
  EXPECT_EQ(rule_for("Read", "/a/b"), "Read(//a/b)");
  EXPECT_EQ(rule_below("Edit", "/a b,c"), "Edit(//a b,c/**)");
  EXPECT_EQ(rule_for("Read", "/[x]*"), R"(Read(//\\[x\\]\\*))");
  EXPECT_EQ(rule_for("Read", "/(p)"), R"(Read(//\(p\)))");
  EXPECT_EQ(rule_for("Read", R"(/b\s)"), R"(Read(//b\\\\s))");
}

TEST(ClaudePathRules, StayOutOfTheListWhenItWouldTakeThemApart) {
  EXPECT_TRUE(fits_a_list(rule_below("Edit", "/a b,c")));
  EXPECT_FALSE(fits_a_list(rule_below("Edit", "/a) Edit b")));
  EXPECT_FALSE(fits_a_list(rule_below("Edit", "/a(b)")));
}

TEST_F(ClaudeCommandLine, AllowsADirectoryWhoseNameWouldWidenTheListInTheSettings) {
  planning_.work = planning_.root.make("a) Edit b");
  planning_.policy = planning_.policy_with({});
  const std::string work = planning_.policy.writable().front().native();
  EXPECT_THAT(value("--allowedTools"), Not(HasSubstr("a) Edit")));
  const std::string below = work.substr(0, work.size() - std::string(") Edit b").size());
  EXPECT_THAT(settings(), HasSubstr("\"allow\":[\"Edit(/" + below + "\\\\) Edit b/**)\",\"Write(/" + below));
}

TEST(ClaudeArguments, ResumeOnlyAnId) {
  RunArguments arguments;
  EXPECT_TRUE(check_arguments(arguments).has_value());
  arguments.resume = "4b482657-be9e-4a25-8321-4023ef830f9f";
  EXPECT_TRUE(check_arguments(arguments).has_value());
  for (const char* bad : {"", "last", "4b482657", "--model", "4b482657-be9e-4a25-8321-4023ef830f9f0",
                          "../482657-be9e-4a25-8321-4023ef830f9f"}) {
    arguments.resume = bad;
    const auto refused = check_arguments(arguments);
    ASSERT_FALSE(refused.has_value()) << bad;
    EXPECT_EQ(refused.error().code, ErrorCode::usage);
    EXPECT_THAT(refused.error().message, HasSubstr(std::string("'") + bad + "'"));
  }
}

TEST(ClaudeMessage, HoldsThePromptAsItIs) {
  EXPECT_EQ(user_message("do \"it\"\nnow", {}).value(),
            "{\"type\":\"user\",\"message\":{\"role\":\"user\",\"content\":\"do \\\"it\\\"\\nnow\"}}\n");
}

TEST(ClaudeMessage, PutsImagesInFrontOfThePrompt) {
  const testing::TempDir root;
  const auto png = root.write("one.png", "\x89PNG\r\n\x1a\n");
  const auto gif = root.write("two", "GIF89a");
  EXPECT_EQ(user_message("what?", {png, gif}).value(),
            R"({"type":"user","message":{"role":"user","content":[{"type":"image","source":{"type":"base64",)"
            R"("media_type":"image/png","data":"iVBORw0KGgo="}},{"type":"image","source":{"type":"base64",)"
            R"("media_type":"image/gif","data":"R0lGODlh"}},{"type":"text","text":"what?"}]}})"
            "\n");
  const auto missing = user_message("what?", {root / "no"});
  ASSERT_FALSE(missing.has_value());
  EXPECT_THAT(missing.error().message, HasSubstr((root / "no").string()));
}

TEST(ClaudeMessage, EncodesBase64WithPadding) {
  EXPECT_EQ(base64(""), "");
  EXPECT_EQ(base64("f"), "Zg==");
  EXPECT_EQ(base64("fo"), "Zm8=");
  EXPECT_EQ(base64("foo"), "Zm9v");
  EXPECT_EQ(base64("\xFF\xFE\xFD\xFC"), "//79/A==");
}

TEST(ClaudeNeeds, AProxyForItsCommandsWhereTheyHaveANetwork) {
  testing::Planning planning;
  const ClaudeRuntime runtime;
  EXPECT_EQ(runtime.needs(planning.needs())->proxy, ProxyUse::none);
  planning.policy = planning.policy_with(NetworkPolicy::make(NetworkMode::full, {}, {}).value());
  const auto needs = runtime.needs(planning.needs()).value();
  EXPECT_EQ(needs.proxy, ProxyUse::commands);
  EXPECT_THAT(needs.services.hosts, IsEmpty());
  EXPECT_FALSE(needs.services.unknown.has_value());
}

TEST(ClaudeVariables, KeepWhatTheAgentCouldPlantOutOfClaudesOwnPathAndGiveItToCommands) {
  testing::Planning planning;
  const ClaudeRuntime runtime;
  planning.search_path = "/opt/agents:/usr/bin";
  EXPECT_THAT(runtime.plan(planning.launch())->files, IsEmpty());

  const std::string bin = planning.root.make("work/a b").native();
  planning.search_path = bin + ":bin::/usr/bin:" + planning.session.native() + "/x:/bin";
  const Launch launch = runtime.plan(planning.launch()).value();
  const std::string file = (planning.session / "claude-path.sh").native();
  EXPECT_THAT(launch.variables, Contains(Variable{"PATH", "/usr/bin:/bin"}));
  EXPECT_THAT(launch.variables, Contains(Variable{"CLAUDE_ENV_FILE", file}));
  ASSERT_EQ(launch.files.size(), 1U);
  EXPECT_EQ(launch.files[0].path, file);
  EXPECT_EQ(launch.files[0].content, "export PATH='" + planning.search_path + "'\n");

  planning.search_path = bin;
  EXPECT_THAT(runtime.plan(planning.launch())->variables, Contains(Variable{"PATH", "/usr/bin:/bin"}));
  planning.environment.set("CLAUDE_ENV_FILE", "/the/callers");
  EXPECT_THAT(runtime.plan(planning.launch())->files, IsEmpty());
  planning.sandboxed = false;
  EXPECT_THAT(runtime.plan(planning.launch())->variables, Not(Contains(Variable{"PATH", "/usr/bin:/bin"})));
}

TEST(ClaudeVariables, TurnMemoryOffAndLeaveTheCallersChoiceOfTraffic) {
  testing::Planning planning;
  const ClaudeRuntime runtime;
  EXPECT_THAT(runtime.plan(planning.launch())->variables,
              ElementsAre(Variable{"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1"},
                          Variable{"CLAUDE_CODE_DISABLE_AUTO_MEMORY", "1"}, Variable{"SOCAT_DEFAULT_LISTEN_IP", "4"}));
  planning.environment.set("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "");
  planning.environment.set("CLAUDE_CODE_DISABLE_AUTO_MEMORY", "0");
  EXPECT_THAT(runtime.plan(planning.launch())->variables,
              ElementsAre(Variable{"CLAUDE_CODE_DISABLE_AUTO_MEMORY", "1"}, Variable{"SOCAT_DEFAULT_LISTEN_IP", "4"}));
  planning.environment.erase("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC");
  planning.sandboxed = false;
  EXPECT_THAT(runtime.plan(planning.launch())->variables,
              ElementsAre(Variable{"CLAUDE_CODE_DISABLE_AUTO_MEMORY", "1"}));
}

}  // namespace
}  // namespace agentrun::claude_code
