#include <gmock/gmock.h>

#include <sstream>

#include "agentrun/text.hpp"
#include "command_lines.hpp"

namespace agentrun::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string help(const std::vector<std::string>& words) { return parsed<ShowText>(words).text; }

TEST(Help, NamesThirdPartyRuntimes) {
  for (const char* option : {"--help", "-h"}) {
    const std::string text = help({option});
    for (const char* name : {"claude-code", "codex", "demo", "dsh", "echo", "pi"}) {
      EXPECT_THAT(text, HasSubstr(std::string("\n  ") + name + "\n"));
    }
    EXPECT_THAT(text, HasSubstr("exec"));
    EXPECT_THAT(text, HasSubstr("plugins"));
  }
}

TEST(Help, SaysSoWhenThereIsNoRuntime) {
  FixedCatalog catalog;
  catalog.names.clear();
  const auto command = parse_command_line({"--help"}, catalog, OutputFormat::jsonl);
  ASSERT_TRUE(command);
  EXPECT_THAT(std::get<ShowText>(*command).text, HasSubstr("none: 'agentrun plugins' tells where"));
}

TEST(Help, OfARuntimeNamesEveryOptionAndDefault) {
  const std::string text = help({"echo", "--help"});
  EXPECT_THAT(text, HasSubstr("Usage: agentrun echo [options] [-- runtime arguments]"));
  for (const char* option : {"--cwd DIR",
                             "--prompt TEXT",
                             "--prompt-file FILE",
                             "--image FILE",
                             "--model ID",
                             "--effort LEVEL",
                             "--max-turns N",
                             "--timeout SECONDS",
                             "--sandbox on|relax|off",
                             "--backend NAME",
                             "--network none|full|custom",
                             "--allow-host HOST[:PORT]",
                             "--check-sni off|lenient|strict",
                             "--deny-read PATH",
                             "--no-default-deny-read",
                             "--path DIR",
                             "--env KEY[=VALUE]",
                             "--env-file FILE",
                             "--no-subagents",
                             "--format rich|text|jsonl",
                             "--raw FILE",
                             "--debug",
                             "--dry-run",
                             "-h,--help"}) {
    EXPECT_THAT(text, HasSubstr(std::string("  ") + option)) << option;
  }
  EXPECT_THAT(text, HasSubstr("(default: none)"));
  EXPECT_THAT(text, HasSubstr("Exit codes: 0 finished"));
  EXPECT_THAT(text, HasSubstr("Examples:\n  agentrun echo --prompt"));
  EXPECT_THAT(text, Not(HasSubstr("REQUIRED")));
}

TEST(Help, OfExecNamesItsOptionsAndExitCodes) {
  const std::string text = help({"exec", "--help"});
  EXPECT_THAT(text, HasSubstr("Usage: agentrun exec [options] -- COMMAND [ARGS…]"));
  EXPECT_THAT(text, HasSubstr("--events FILE|fd:N"));
  EXPECT_THAT(text, HasSubstr("127 it is not found"));
  EXPECT_THAT(text, Not(HasSubstr("--prompt")));
}

TEST(Help, FitsATerminal) {
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{{"--help"}, {"pi", "--help"}, {"exec", "-h"}, {"plugins", "--help"}}) {
    std::istringstream lines(help(words));
    for (std::string line; std::getline(lines, line);) {
      EXPECT_EQ(last_characters(line, 100).size(), line.size()) << line;
      EXPECT_TRUE(line.empty() || line.back() != ' ') << '"' << line << '"';
    }
  }
}

TEST(Help, HasNoBlankLinesTooMany) {
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{{"--help"}, {"pi", "--help"}, {"exec", "-h"}, {"plugins", "--help"}}) {
    const std::string text = help(words);
    ASSERT_GT(text.size(), 2);
    EXPECT_EQ(text.back(), '\n');
    EXPECT_NE(text[text.size() - 2], '\n');
    EXPECT_THAT(text, Not(HasSubstr("\n\n\n")));
  }
}

TEST(Help, WinsOverErrorsBehindIt) {
  EXPECT_THAT(help({"pi", "--help", "--bogus"}), HasSubstr("Usage:"));
  EXPECT_THAT(help({"pi", "--network", "custom", "--help"}), HasSubstr("Usage:"));
  EXPECT_THAT(help({"exec", "--help", "--", "true"}), HasSubstr("Usage:"));
}

TEST(Help, IsNotAskedForBehindTheDashesOrByAValue) {
  EXPECT_EQ(parsed<RunCommand>({"pi", "--", "--help"}).options.arguments.extra.at(0), "--help");
  EXPECT_EQ(parsed<RunCommand>({"pi", "--prompt=--help"}).options.prompt, "--help");
  EXPECT_EQ(parsed<RunCommand>({"pi", "--prompt", "-h"}).options.prompt, "-h");
}

}  // namespace
}  // namespace agentrun::cli
