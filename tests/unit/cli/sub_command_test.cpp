#include <gmock/gmock.h>

#include "agentrun/abi.hpp"
#include "command_lines.hpp"

namespace agentrun::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

/// Fails the test when it is asked: reading plugin directories costs time that exec does not have.
struct UnaskedCatalog final : RuntimeCatalog {
  [[nodiscard]] std::vector<std::string> runtimes() const override {
    ADD_FAILURE() << "the catalog was asked";
    return {};
  }
  [[nodiscard]] std::vector<std::filesystem::path> directories() const override {
    ADD_FAILURE() << "the catalog was asked";
    return {};
  }
};

TEST(SubCommand, IsARuntimeOfTheCatalogWhoeverMadeIt) {
  EXPECT_EQ(parsed<RunCommand>({"echo"}).options.runtime, "echo");
}

TEST(SubCommand, LeavesTheCatalogAloneWhenNoRuntimeIsNamed) {
  for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
           {"exec", "--", "true"}, {"exec", "--bogus"}, {"plugins"}, {"--version"}, {"exec", "--help"}, {}}) {
    static_cast<void>(parse_command_line(words, UnaskedCatalog{}, OutputFormat::jsonl));
  }
}

TEST(SubCommand, IsRefusedWhenMissing) {
  EXPECT_EQ(refusal({}),
            "no sub-command given. Name a runtime, exec, doctor, explain or plugins; agentrun --help lists them");
}

TEST(SubCommand, IsRefusedWhenUnknownWithWhatThereIsAndWhereItWasLookedFor) {
  EXPECT_EQ(refusal({"foo"}),
            "unknown sub-command: no runtime plugin 'foo' (looked in: /plugins/a, /plugins/b). Sub-commands: "
            "claude-code, codex, demo, dsh, echo, pi, exec, doctor, explain, plugins");
  EXPECT_EQ(refusal({"claude", "--prompt", "x"}),
            "unknown sub-command: no runtime plugin 'claude' (looked in: /plugins/a, /plugins/b). Did you mean "
            "'claude-code'? Sub-commands: claude-code, codex, demo, dsh, echo, pi, exec, doctor, explain, plugins");
  EXPECT_THAT(refusal({"plugin"}), HasSubstr("Did you mean 'plugins'?"));
}

TEST(SubCommand, IsNotRepeatedWhenItCannotBeAName) {
  EXPECT_THAT(refusal({"Fix the SECRET bug"}), StartsWith("unknown sub-command. Sub-commands: "));
  EXPECT_THAT(refusal({"../../tmp/evil"}), Not(HasSubstr("evil")));
  EXPECT_THAT(refusal({""}), StartsWith("unknown sub-command. "));
}

TEST(SubCommand, CannotBeAReservedNameThatAPluginTook) {
  FixedCatalog catalog;
  catalog.names = {"batch", "doctor", "exec", "explain", "pi", "plugins"};
  const auto batch = parse_command_line({"batch"}, catalog, OutputFormat::jsonl);
  ASSERT_FALSE(batch);
  EXPECT_EQ(describe(batch.error()), "unknown sub-command 'batch'. Sub-commands: pi, exec, doctor, explain, plugins");
  const auto explain = parse_command_line({"explain", "read", "/file"}, catalog, OutputFormat::jsonl);
  ASSERT_TRUE(explain);
  EXPECT_TRUE(std::holds_alternative<ExplainCommand>(*explain));
  const auto command = parse_command_line({"exec", "--", "true"}, catalog, OutputFormat::jsonl);
  ASSERT_TRUE(command);
  EXPECT_TRUE(std::holds_alternative<ExecCommand>(*command));
  const auto doctor = parse_command_line({"doctor"}, catalog, OutputFormat::jsonl);
  ASSERT_TRUE(doctor);
  EXPECT_THAT(std::get<DoctorCommand>(*doctor).options.runtimes, ::testing::ElementsAre("pi"));
}

TEST(SubCommand, StandsInFrontOfTheOptions) {
  EXPECT_EQ(
      refusal({"--debug", "pi"}),
      "an option stands in front of the sub-command. Options come behind it: agentrun RUNTIME --option…; agentrun "
      "--help lists the sub-commands");
  EXPECT_THAT(refusal({"--verison"}), HasSubstr("Did you mean '--version'?"));
  EXPECT_THAT(refusal({"--", "true"}), StartsWith("an option stands in front"));
}

TEST(SubCommand, PluginsTakesJsonOnly) {
  EXPECT_FALSE(parsed<PluginsCommand>({"plugins"}).json);
  EXPECT_TRUE(parsed<PluginsCommand>({"plugins", "--json"}).json);
  EXPECT_TRUE(parsed<PluginsCommand>({"plugins", "--json", "--json"}).json);
  EXPECT_EQ(refusal({"plugins", "--jsn"}), "unknown option '--jsn'. Did you mean '--json'?");
  EXPECT_EQ(refusal({"plugins", "pi"}), "argument 1 is not an option. plugins takes no names: it lists all");
  EXPECT_EQ(refusal({"plugins", "--"}), "plugins takes no --. plugins takes no names: it lists all");
}

TEST(SubCommand, VersionIsShown) {
  EXPECT_EQ(parsed<ShowText>({"--version"}).text, std::string("agentrun ") + AGENTRUN_VERSION + "\n");
}

TEST(SubCommand, GivesTheUsualFormatToARunWithoutFormat) {
  const auto command = parse_command_line({"pi"}, FixedCatalog{}, OutputFormat::rich);
  ASSERT_TRUE(command);
  EXPECT_EQ(std::get<RunCommand>(*command).format, OutputFormat::rich);
}

}  // namespace
}  // namespace agentrun::cli
