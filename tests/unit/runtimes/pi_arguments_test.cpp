#include "pi/arguments.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "planning.hpp"

namespace agentrun::pi {
namespace {

using ::testing::ElementsAre;

RunArguments with_model(std::string model) {
  RunArguments arguments;
  arguments.model = std::move(model);
  return arguments;
}

struct Planned : testing::Planning {
  [[nodiscard]] CommandLine line() { return command_line(launch()); }
  /// Behind what every run has.
  [[nodiscard]] std::vector<std::string> own_arguments() {
    const CommandLine whole = line();
    return {whole.arguments.begin() + 13, whole.arguments.end()};
  }
};

TEST(PiModel, NeedsAProviderAndAModel) {
  for (const char* good : {"p/m", "p/m:high", "openrouter/deepseek/deepseek-r1:free"}) {
    EXPECT_TRUE(check_arguments(with_model(good)).has_value()) << good;
  }
  for (const char* bad : {"", "m", "/", "/m", "p/", "sonnet:high"}) {
    const auto refused = check_arguments(with_model(bad));
    ASSERT_FALSE(refused.has_value()) << bad;
    EXPECT_EQ(refused.error().code, ErrorCode::usage);
    EXPECT_EQ(refused.error().message, std::string("--model for pi must be provider/model, got '") + bad + "'");
  }
  EXPECT_TRUE(check_arguments({}).has_value());
}

TEST(PiModel, LosesOnlyAThinkingLevelBehindItsLastColon) {
  EXPECT_EQ(without_thinking_level("p/m:high"), "p/m");
  EXPECT_EQ(without_thinking_level("p/m:free:off"), "p/m:free");
  EXPECT_EQ(without_thinking_level("p/m:free"), "p/m:free");
  EXPECT_EQ(without_thinking_level("p/m:"), "p/m:");
  EXPECT_EQ(without_thinking_level("p/m"), "p/m");
}

TEST(PiCommandLine, KeepsEverythingOfTheUsersOwnOut) {
  EXPECT_THAT(Planned{}.line().arguments,
              ElementsAre("-p", "--mode", "json", "--no-session", "--no-extensions", "--no-skills",
                          "--no-prompt-templates", "--no-themes", "--no-context-files", "--no-approve", "--offline",
                          "--tools", "read,bash,edit,write,grep,find,ls", "--", "do it"));
}

TEST(PiCommandLine, PutsCallerArgumentsBehindItsOwnAndTheImagesAndBeforeThePrompt) {
  Planned planned;
  planned.arguments.model = "p/m";
  planned.arguments.effort = "high";
  planned.arguments.extra = {"--thinking", "low"};
  planned.images = {"/s/one.png", "/s/two.gif"};
  EXPECT_THAT(planned.own_arguments(), ElementsAre("--model", "p/m", "--thinking", "high", "@/s/one.png", "@/s/two.gif",
                                                   "--thinking", "low", "--", "do it"));
}

TEST(PiCommandLine, NamesTheArgumentThatHoldsThePrompt) {
  Planned planned;
  planned.prompt = "-rf / --model x";
  const CommandLine line = planned.line();
  ASSERT_TRUE(line.prompt_argument.has_value());
  EXPECT_EQ(*line.prompt_argument + 1, line.arguments.size());
  EXPECT_EQ(line.arguments.back(), planned.prompt);
  EXPECT_EQ(line.standard_input, "");
}

TEST(PiCommandLine, SendsAPromptThatCannotBeAnArgumentToStandardInput) {
  const std::vector<std::string> prompts = {"@README.md explain this", std::string("a\0b", 3),
                                            std::string(128 * 1024, 'a')};
  for (const std::string& prompt : prompts) {
    Planned planned;
    planned.prompt = prompt;
    const CommandLine line = planned.line();
    EXPECT_FALSE(line.prompt_argument.has_value());
    EXPECT_EQ(line.standard_input, prompt);
    EXPECT_THAT(line.arguments, ::testing::Not(::testing::Contains(prompt)));
    EXPECT_THAT(line.arguments, ::testing::Not(::testing::Contains("--")));
  }
}

TEST(PiCommandLine, TakesThePromptAsAnArgumentUpToTheKernelsLimit) {
  EXPECT_TRUE(fits_an_argument(std::string(128 * 1024 - 1, 'a')));
  EXPECT_FALSE(fits_an_argument(std::string(128 * 1024, 'a')));
  EXPECT_TRUE(fits_an_argument(" @name"));
}

}  // namespace
}  // namespace agentrun::pi
