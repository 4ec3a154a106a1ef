// What every runtime must keep, whatever its agent. A new runtime is a row in `runtimes`.

#include <algorithm>
#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "agentrun/host_name.hpp"
#include "agentrun/plugin.hpp"
#include "agentrun/text.hpp"
#include "claude_code/runtime.hpp"
#include "codex/runtime.hpp"
#include "demo/runtime.hpp"
#include "dsh/runtime.hpp"
#include "pi/runtime.hpp"
#include "planning.hpp"
#include "translation.hpp"

namespace agentrun {
namespace {

using ::testing::Each;
using testing::exited;
using testing::feed;
using ::testing::HasSubstr;
using testing::killed_by;
using ::testing::Not;
using testing::Records;

template <class Implementation>
std::unique_ptr<Runtime> guarded() {
  return std::make_unique<plugin_detail::GuardedRuntime<Implementation>>();
}

struct Row {
  std::string name;
  std::function<std::unique_ptr<Runtime>()> make;
  std::string model;  ///< one that check() takes
};

const std::vector<Row> runtimes = {
    {"claude_code", guarded<claude_code::ClaudeRuntime>, "opus"},
    {"codex", guarded<codex::CodexRuntime>, "gpt-5"},
    {"demo", guarded<demo::DemoRuntime>, "any"},
    {"dsh", guarded<dsh::DshRuntime>, "deepseek-v4-pro"},
    {"pi", guarded<pi::PiRuntime>, "anthropic/claude"},
};

class RuntimeContract : public ::testing::TestWithParam<Row> {
 protected:
  RuntimeContract() {
    planning_.environment.set("HOME", (root_ / "home").string());
    planning_.environment.set("PATH", "/usr/bin:/bin");
    planning_.prompt = "a prompt of nobody else";
    planning_.login_given = true;
    root_.make("home");
    for (const PrivateHome& home : needs().homes) planning_.homes.push_back(root_ / home.directory);
  }

  [[nodiscard]] Needs needs() { return good(runtime_->needs(planning_.needs())); }
  [[nodiscard]] Launch plan() { return good(runtime_->plan(planning_.launch())); }
  [[nodiscard]] std::unique_ptr<Translator> translator() { return runtime_->translator(planning_.launch()).value(); }

  template <class Value>
  [[nodiscard]] static Value good(Result<Value> result) {
    if (result) return std::move(*result);
    ADD_FAILURE() << describe(result.error());
    return {};
  }

  /// Paths below the test's directory.
  [[nodiscard]] std::vector<std::string> files() const {
    std::vector<std::string> found;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root_.path())) found.push_back(entry.path());
    std::ranges::sort(found);
    return found;
  }

  testing::Planning planning_;
  const testing::TempDir& root_ = planning_.root;
  RunArguments& arguments_ = planning_.arguments;
  std::string& prompt_ = planning_.prompt;
  std::unique_ptr<Runtime> runtime_ = GetParam().make();
};

TEST_P(RuntimeContract, NamesAProgramOfPathOrGivesAnAbsoluteOne) {
  const std::string name = runtime_->traits().executable;
  const Launch launch = plan();
  if (launch.executable) {
    EXPECT_TRUE(launch.executable->is_absolute());
    EXPECT_EQ(launch.executable->lexically_normal(), *launch.executable);
  } else {
    EXPECT_FALSE(name.empty());
    EXPECT_THAT(name, Not(HasSubstr("/")));
  }
}

TEST_P(RuntimeContract, TakesARunWithoutOptions) { EXPECT_TRUE(runtime_->check({}).has_value()); }

TEST_P(RuntimeContract, TakesAModelOfItsOwnForm) {
  arguments_.model = GetParam().model;
  EXPECT_TRUE(runtime_->check(arguments_).has_value());
}

TEST_P(RuntimeContract, ShowsThePromptInTheArgumentItNamesAndNowhereElse) {
  const Launch launch = plan();
  for (std::size_t i = 0; i < launch.arguments.size(); ++i) {
    if (launch.prompt_argument == i) continue;
    EXPECT_THAT(launch.arguments[i], Not(HasSubstr(prompt_)));
  }
  for (const Variable& variable : launch.variables) EXPECT_THAT(variable.value, Not(HasSubstr(prompt_)));
  if (launch.prompt_argument) {
    ASSERT_LT(*launch.prompt_argument, launch.arguments.size());
    EXPECT_EQ(launch.arguments[*launch.prompt_argument], prompt_);
    EXPECT_EQ(launch.standard_input, "");
  } else {
    EXPECT_THAT(launch.standard_input, HasSubstr(prompt_));
  }
}

TEST_P(RuntimeContract, PassesPromptsThatNoArgumentCanHold) {
  for (const std::string& prompt : {std::string(10'000'000, 'p'), std::string("nul \0 byte", 10), std::string("@file"),
                                    std::string("-x"), std::string("--")}) {
    prompt_ = prompt;
    const Launch launch = plan();
    for (const std::string& argument : launch.arguments) {
      EXPECT_LT(argument.size(), 128U * 1024);
      EXPECT_EQ(argument.find('\0'), std::string::npos);
    }
    EXPECT_TRUE(launch.prompt_argument.has_value() || launch.standard_input.size() >= prompt.size());
  }
}

TEST_P(RuntimeContract, PassesCallerArgumentsOnUnchangedBehindItsOwn) {
  const std::size_t before = plan().arguments.size();
  arguments_.extra = {"--first=1", "", "se cond", "--first=2"};
  const Launch launch = plan();
  EXPECT_EQ(launch.arguments.size(), before + arguments_.extra.size());
  const auto found =
      std::search(launch.arguments.begin(), launch.arguments.end(), arguments_.extra.begin(), arguments_.extra.end());
  ASSERT_NE(found, launch.arguments.end());
  // Only the prompt comes behind them, or the "-" that says it is on standard input.
  EXPECT_LE(launch.arguments.end() - found, launch.prompt_argument ? 6 : 5);
}

TEST_P(RuntimeContract, PlansWithoutTouchingTheMachine) {
  const std::vector<std::string> before = files();
  (void)needs();
  (void)plan();
  planning_.sandboxed = false;
  (void)needs();
  (void)plan();
  (void)translator();
  EXPECT_EQ(files(), before);
}

TEST_P(RuntimeContract, PlansTheSameTwice) {
  const Launch one = plan();
  const Launch two = plan();
  EXPECT_EQ(one.arguments, two.arguments);
  EXPECT_EQ(one.variables, two.variables);
}

TEST_P(RuntimeContract, GivesNamesAndPathsThatTheHostCanUse) {
  const Launch launch = plan();
  const Needs needs = this->needs();
  for (const Variable& variable : launch.variables) {
    EXPECT_TRUE(is_variable_name(variable.name));
    EXPECT_FALSE(variable.name.starts_with("AGENTRUN_"));
  }
  for (const std::string& host : needs.services.hosts) {
    const auto parsed = parse_host(host);
    ASSERT_TRUE(parsed.has_value()) << host;
    EXPECT_EQ(parsed->text, host);
  }
  if (needs.services.unknown) {
    EXPECT_TRUE(needs.services.hosts.empty());
    EXPECT_FALSE(needs.services.unknown->message.empty());
    EXPECT_THAT(needs.services.unknown->hint, HasSubstr("--allow-host"));
  }
  for (const auto& path : needs.hide) EXPECT_TRUE(path.is_absolute()) << path;
  for (const auto& required : needs.required) {
    EXPECT_TRUE(required.path.is_absolute()) << required.path;
    EXPECT_FALSE(required.name.empty());
  }
  for (const StateDirectory& state : needs.states) {
    EXPECT_TRUE(state.directory.is_absolute());
    EXPECT_THAT(state.writable_entries, Each(Not(HasSubstr("/"))));
  }
  for (const PrivateHome& home : needs.homes) {
    EXPECT_FALSE(home.name.empty());
    EXPECT_THAT(home.directory, ::testing::MatchesRegex("[a-z0-9-]+"));
    for (const PrivateHome::Link& link : home.links) EXPECT_TRUE(link.target.is_absolute()) << link.target;
  }
}

TEST_P(RuntimeContract, IgnoresLinesThatAreNoEvents) {
  const std::string lines[] = {
      "",
      "\r",
      "not json",
      "{",
      "}",
      "[]",
      "{}",
      "null",
      R"({"type":null})",
      R"({"type":"no such event","message":{},"text":"x"})",
      std::string(4096, '\0'),
      "\xFF\xFE\xFD",
      std::string(1'000'000, '['),
      std::string(1'000'000, '"'),
      R"({"type":)" + std::string(1000, '{'),
  };
  const auto translator = this->translator();
  Records records;
  for (const std::string& line : lines) feed(*translator, line, records);
  EXPECT_TRUE(records.all().empty());
  EXPECT_TRUE(records.stops().empty());
}

TEST_P(RuntimeContract, FailsWhenTheProcessDid) {
  for (const ExitFacts& exit : {exited(1), exited(255), killed_by(9)}) {
    Records records;
    EXPECT_EQ(translator()->finish(exit, records).status, Verdict::Status::failed);
  }
}

TEST_P(RuntimeContract, CanBeAskedForAVerdictWithoutAnyOutput) {
  Records records;
  const Verdict verdict = translator()->finish(exited(0), records);
  EXPECT_TRUE(is_utf8(verdict.detail));
  EXPECT_TRUE(records.of<TextRecord>().empty());
}

INSTANTIATE_TEST_SUITE_P(Runtimes, RuntimeContract, ::testing::ValuesIn(runtimes),
                         [](const auto& row) { return row.param.name; });

}  // namespace
}  // namespace agentrun
