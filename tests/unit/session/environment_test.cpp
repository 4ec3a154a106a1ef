#include "session/environment.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scratch.hpp"

namespace agentrun::host {
namespace {

using ::testing::ElementsAre;
using testing::environment_of;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::IsSupersetOf;
using ::testing::Not;
using ::testing::Pair;
using testing::Scratch;
using ::testing::UnorderedElementsAre;

/// Like a runtime that logs in by variables.
RuntimeTraits picky() {
  RuntimeTraits traits;
  traits.removed_variables = {"TOOL_HOME", "TOOL_KEY"};
  traits.removed_prefixes = {"VENDOR_"};
  return traits;
}

SessionEnvironment assembled(const Environment& caller, const SessionOptions& options,
                             const RuntimeTraits& traits = {}) {
  auto session = assemble_environment(caller, traits, options);
  if (!session) {
    ADD_FAILURE() << describe(session.error());
    return {};
  }
  return *std::move(session);
}

Error refusal(const Environment& caller, const SessionOptions& options) {
  const auto session = assemble_environment(caller, {}, options);
  if (session) {
    ADD_FAILURE() << "not refused";
    return {};
  }
  EXPECT_FALSE(session.error().hint.empty());
  return session.error();
}

SessionOptions with_env(std::vector<EnvOption> env) {
  SessionOptions options;
  options.env = std::move(env);
  return options;
}

SessionOptions with_files(std::vector<std::filesystem::path> files) {
  SessionOptions options;
  options.env_files = std::move(files);
  return options;
}

TEST(SessionEnvironment, IsTheCallersWhenNothingIsAsked) {
  const auto caller = environment_of({{"A", "1"}, {"EMPTY", ""}, {"BASH_FUNC_f%%", "() { :; }"}});
  const auto session = assembled(caller, {});
  EXPECT_EQ(session.environment, caller);
  EXPECT_THAT(session.given, IsEmpty());
  EXPECT_THAT(session.removed, IsEmpty());
}

TEST(SessionEnvironment, DropsWhatTheRuntimeMustNotInherit) {
  const auto caller = environment_of({{"TOOL_HOME", "/h"}, {"TOOL_HOMES", "x"}, {"VENDOR_A", "1"}, {"VENDOR", "2"}});
  const auto session = assembled(caller, {}, picky());
  EXPECT_EQ(session.environment, environment_of({{"TOOL_HOMES", "x"}, {"VENDOR", "2"}}));
  EXPECT_THAT(session.removed, ElementsAre("TOOL_HOME", "VENDOR_A"));
  EXPECT_THAT(session.removed_values, UnorderedElementsAre(Pair("TOOL_HOME", "/h"), Pair("VENDOR_A", "1")));
}

TEST(SessionEnvironment, KeepsADroppedNameThatIsGiven) {
  const Scratch scratch;
  auto options = with_files({scratch.file("env", "VENDOR_A=from file\n")});
  options.env = {{"TOOL_HOME", "/given"}};
  const auto session =
      assembled(environment_of({{"TOOL_HOME", "/h"}, {"TOOL_KEY", "k"}, {"VENDOR_A", "1"}}), options, picky());
  EXPECT_EQ(session.environment, environment_of({{"TOOL_HOME", "/given"}, {"VENDOR_A", "from file"}}));
  EXPECT_THAT(session.removed, ElementsAre("TOOL_KEY"));
  EXPECT_EQ(session.removed_values.at("TOOL_HOME"), "/h");
}

TEST(SessionEnvironment, GivesTheCallersValueFromBeforeTheDropping) {
  const auto session = assembled(environment_of({{"TOOL_KEY", "k"}}), with_env({{"TOOL_KEY", {}}}), picky());
  EXPECT_EQ(session.environment.get("TOOL_KEY"), "k");
  EXPECT_THAT(session.removed, IsEmpty());
  EXPECT_THAT(session.given, ElementsAre("TOOL_KEY"));
}

TEST(SessionEnvironment, GivesTheCallersValueAndNotThatOfAnEnvFile) {
  const Scratch scratch;
  auto options = with_files({scratch.file("env", "A=file\n")});
  options.env = {{"A", {}}};
  EXPECT_EQ(assembled(environment_of({{"A", "caller"}}), options).environment.get("A"), "caller");
}

TEST(SessionEnvironment, LetsLaterSourcesWin) {
  const Scratch scratch;
  auto options = with_files({scratch.file("one", "A=one\nB=one\nC=one\n"), scratch.file("two", "B=two\nC=two\n")});
  options.env = {{"C", "first"}, {"C", "last"}};
  const auto session = assembled(environment_of({{"A", "caller"}, {"D", "caller"}}), options);
  EXPECT_EQ(session.environment, environment_of({{"A", "one"}, {"B", "two"}, {"C", "last"}, {"D", "caller"}}));
}

TEST(SessionEnvironment, ListsGivenNamesByFirstOccurrence) {
  const Scratch scratch;
  auto options = with_files({scratch.file("env", "Z=1\nAGENTRUN_X=1\nB=1\n")});
  options.env = {{"A", "1"}, {"B", "2"}, {"AGENTRUN_SANDBOX", "off"}, {"Z", "3"}};
  EXPECT_THAT(assembled({}, options).given, ElementsAre("Z", "B", "A"));
}

TEST(SessionEnvironment, TakesAnEmptyValue) {
  const auto session = assembled(environment_of({{"A", "1"}}), with_env({{"A", ""}}));
  EXPECT_EQ(session.environment.get("A"), "");
}

TEST(SessionEnvironment, RemovesEveryVariableOfItsOwnWhereverItCameFrom) {
  const Scratch scratch;
  auto options = with_files({scratch.file("env", "AGENTRUN_FILE=1\n")});
  options.env = {{"AGENTRUN_OPTION", "1"}, {"AGENTRUN_", "1"}};
  const auto caller = environment_of({{"AGENTRUN_CALLER", "1"}, {"AGENTRUN_PI_AUTH", "login"}, {"AGENTRUNX", "kept"}});
  EXPECT_EQ(assembled(caller, options).environment, environment_of({{"AGENTRUNX", "kept"}}));
}

TEST(SessionEnvironment, ReadsItsSettingFromTheLastSource) {
  const Scratch scratch;
  const auto caller = environment_of({{"AGENTRUN_SANDBOX", "on"}});
  EXPECT_EQ(assembled(caller, {}).sandbox_setting, "on");
  auto options = with_files({scratch.file("env", "AGENTRUN_SANDBOX=relax\n")});
  EXPECT_EQ(assembled(caller, options).sandbox_setting, "relax");
  options.env = {{"AGENTRUN_SANDBOX", "off"}};
  EXPECT_EQ(assembled(caller, options).sandbox_setting, "off");
  options.env = {{"AGENTRUN_SANDBOX", ""}};
  EXPECT_EQ(assembled(caller, options).sandbox_setting, std::nullopt);
}

TEST(SessionEnvironment, KeepsLoginsAsideAndNamesThem) {
  const auto caller = environment_of({{"AGENTRUN_PI_AUTH", "{\"k\":1}"}, {"AGENTRUN_CODEX_AUTH", ""}});
  const auto session = assembled(caller, with_env({{"AGENTRUN_SANDBOX", "off"}, {"AGENTRUN_TYPO", "1"}}));
  EXPECT_THAT(session.credentials, ElementsAre(Pair("AGENTRUN_PI_AUTH", "{\"k\":1}")));
  EXPECT_THAT(session.agentrun_variables, ElementsAre("AGENTRUN_PI_AUTH", "AGENTRUN_SANDBOX"));
}

TEST(SessionEnvironment, CountsAPluginPathOnlyFromTheCaller) {
  EXPECT_THAT(assembled({}, with_env({{"AGENTRUN_PLUGIN_PATH", "/evil"}})).agentrun_variables, IsEmpty());
  EXPECT_THAT(assembled(environment_of({{"AGENTRUN_PLUGIN_PATH", "/p"}}), {}).agentrun_variables,
              ElementsAre("AGENTRUN_PLUGIN_PATH"));
}

TEST(SessionEnvironment, RefusesAVariableThatTheCallerDoesNotHave) {
  const Scratch scratch;
  auto options = with_files({scratch.file("env", "MISSING=x\n")});
  options.env = {{"MISSING", {}}};
  const auto error = refusal(environment_of({{"A", "1"}}), options);
  EXPECT_EQ(error.code, ErrorCode::usage);
  EXPECT_THAT(error.message, HasSubstr("--env MISSING"));
}

TEST(SessionEnvironment, RefusesABadNameWithoutShowingIt) {
  for (const auto* name : {"", "1A", "A-B", "sk-ant-secret", "A B", "Ä"}) {
    for (const auto& value : {std::optional<std::string>("v"), std::optional<std::string>()}) {
      const auto error = refusal({}, with_env({{"GOOD", "1"}, {name, value}}));
      EXPECT_EQ(error.code, ErrorCode::usage) << name;
      EXPECT_THAT(error.message, HasSubstr("--env number 2"));
      EXPECT_THAT(describe(error), Not(HasSubstr("secret")));
    }
  }
}

TEST(SessionEnvironment, RefusesAMissingEnvFileByName) {
  const Scratch scratch;
  const auto error = refusal({}, with_files({scratch / "none.env"}));
  EXPECT_EQ(error.code, ErrorCode::not_found);
  EXPECT_THAT(error.message, HasSubstr((scratch / "none.env").string()));
}

TEST(SessionEnvironment, RefusesABadLineByNumberWithoutItsContent) {
  const Scratch scratch;
  const std::string nul("A=1\nB=hush\0hush\n", 16);
  for (const std::string& content : {std::string("A=1\nhush hush\n"), std::string("A=1\nB=hush\xff\n"), nul}) {
    const auto file = scratch.file("bad.env", content);
    const auto error = refusal({}, with_files({file}));
    EXPECT_THAT(error.message, HasSubstr(file.string() + ":2"));
    EXPECT_THAT(describe(error), Not(HasSubstr("hush")));
  }
}

TEST(SessionEnvironment, RefusesADirectoryAndAnEndlessDeviceAsEnvFile) {
  const Scratch scratch;
  EXPECT_THAT(refusal({}, with_files({scratch.path()})).message, HasSubstr("directory"));
  EXPECT_THAT(refusal({}, with_files({"/dev/zero"})).message, HasSubstr("larger than 4 MiB"));
}

TEST(SessionEnvironment, TakesAnEmptyDeviceAsEnvFile) {
  EXPECT_THAT(assembled({}, with_files({"/dev/null"})).given, IsEmpty());
}

TEST(SessionEnvironment, DoesNotHangOnAFifoThatNobodyWritesTo) {
  const Scratch scratch;
  EXPECT_THAT(refusal({}, with_files({scratch.fifo("pipe")})).message, HasSubstr("no data came"));
}

SessionEnvironment last_applied(SessionEnvironment session, const LastVariables& last) {
  apply_last(session, last);
  return session;
}

LastVariables last_in(const std::filesystem::path& directory) {
  LastVariables last;
  last.path = "/bin";
  last.session_directory = directory;
  return last;
}

TEST(LastVariables, SetPathAndTemporaryDirectories) {
  auto session = assembled(environment_of({{"PATH", "/old"}, {"TMPDIR", "/old"}}), with_env({{"TMP", "/given"}}));
  auto last = last_in("/s");
  last.sandboxed = false;
  EXPECT_THAT(apply_last(session, last), ElementsAre("PATH", "TMPDIR", "TMP", "TEMP"));
  EXPECT_EQ(session.environment, environment_of({{"PATH", "/bin"}, {"TMPDIR", "/s"}, {"TMP", "/s"}, {"TEMP", "/s"}}));
}

TEST(LastVariables, LeaveAMissingPathMissing) {
  auto last = last_in("/s");
  last.path.clear();
  EXPECT_EQ(last_applied({}, last).environment.get("PATH"), std::nullopt);
}

TEST(LastVariables, LetTheRuntimesVariablesWin) {
  auto last = last_in("/s");
  last.runtime = {{"TOOL_HOME", "/private"}, {"TMPDIR", "/s/tmp"}, {"AGENTRUN_PI_AUTH", "x"}};
  const auto session = last_applied(assembled({}, with_env({{"TOOL_HOME", "/given"}})), last);
  EXPECT_EQ(session.environment.get("TOOL_HOME"), "/private");
  EXPECT_EQ(session.environment.get("TMPDIR"), "/s/tmp");
  EXPECT_EQ(session.environment.get("AGENTRUN_PI_AUTH"), std::nullopt);
}

TEST(LastVariables, PointEveryProxyVariableAtTheProxy) {
  auto last = last_in("/s");
  last.proxy_port = 8123;
  const auto session =
      last_applied(assembled(environment_of({{"https_proxy", "http://user:pw@up.test"}, {"NO_PROXY", "*"}}),
                             with_env({{"ALL_PROXY", "http://given.test"}, {"no_proxy", "*"}})),
                   last);
  for (const auto* name : {"HTTPS_PROXY", "HTTP_PROXY", "ALL_PROXY", "https_proxy", "http_proxy", "all_proxy"}) {
    EXPECT_EQ(session.environment.get(name), "http://127.0.0.1:8123") << name;
  }
  EXPECT_EQ(session.environment.get("NO_PROXY"), "");
  EXPECT_EQ(session.environment.get("no_proxy"), "");
}

TEST(LastVariables, RemoveInheritedProxiesWhenASandboxHasNone) {
  const auto caller = environment_of({{"HTTP_PROXY", "http://up.test"},
                                      {"all_proxy", "http://up.test"},
                                      {"https_proxy", "http://up.test"},
                                      {"NO_PROXY", "*"},
                                      {"no_proxy", "*"}});
  const auto session = last_applied(assembled(caller, with_env({{"https_proxy", "http://given.test"}})), last_in("/s"));
  EXPECT_EQ(session.environment.get("https_proxy"), "http://given.test");
  for (const auto* name : {"HTTP_PROXY", "all_proxy", "NO_PROXY", "no_proxy"}) {
    EXPECT_EQ(session.environment.get(name), std::nullopt) << name;
  }
}

TEST(LastVariables, LeaveProxiesAndCachesAloneWithoutASandbox) {
  const auto caller = environment_of({{"https_proxy", "http://up.test"}, {"no_proxy", "a"}, {"XDG_CACHE_HOME", "/c"}});
  auto last = last_in("/s");
  last.sandboxed = false;
  const auto session = last_applied(assembled(caller, {}), last);
  EXPECT_EQ(session.environment.get("https_proxy"), "http://up.test");
  EXPECT_EQ(session.environment.get("no_proxy"), "a");
  EXPECT_EQ(session.environment.get("XDG_CACHE_HOME"), "/c");
  EXPECT_EQ(session.environment.get("npm_config_cache"), std::nullopt);
}

TEST(LastVariables, LeaveTheCallersProxiesToAProcessThatIsNotConfinedItself) {
  auto last = last_in("/s");
  last.process_confined = false;
  const auto session = last_applied(assembled(environment_of({{"https_proxy", "http://up.test"}}), {}), last);
  EXPECT_EQ(session.environment.get("https_proxy"), "http://up.test");
  EXPECT_EQ(session.environment.get("XDG_CACHE_HOME"), "/s/cache");
}

TEST(LastVariables, MoveCachesBelowTheSessionDirectoryInASandbox) {
  auto session = assembled(environment_of({{"XDG_CACHE_HOME", "/home/cache"}, {"npm_config_cache", "/home/npm"}}), {});
  const auto names = apply_last(session, last_in("/s"));
  EXPECT_EQ(session.environment.get("XDG_CACHE_HOME"), "/s/cache");
  EXPECT_EQ(session.environment.get("npm_config_cache"), "/s/npm-cache");
  EXPECT_THAT(names, IsSupersetOf({"XDG_CACHE_HOME", "npm_config_cache"}));
}

TEST(LastVariables, LeaveGivenCachesAlone) {
  const auto given = with_env({{"XDG_CACHE_HOME", "/given"}, {"NPM_CONFIG_CACHE", "/given"}});
  const auto session = last_applied(assembled({}, given), last_in("/s"));
  EXPECT_EQ(session.environment.get("XDG_CACHE_HOME"), "/given");
  EXPECT_EQ(session.environment.get("npm_config_cache"), std::nullopt);
}

}  // namespace
}  // namespace agentrun::host
