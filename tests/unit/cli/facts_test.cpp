#include "cli/facts.hpp"

#include <gtest/gtest.h>

#include "fake_console.hpp"

namespace agentrun::cli {
namespace {

std::string debug_lines(const host::SessionOptions& options, FakeConsole& console,
                        const std::vector<host::Fact>& facts) {
  ::testing::internal::CaptureStderr();
  {
    FactOutput output(options, console);
    for (const host::Fact& fact : facts) output.fact(fact);
  }
  return ::testing::internal::GetCapturedStderr();
}

const std::vector<host::Fact> facts = {{"cwd", "/w"}, {"command", "sh -c 'a {} %v'"}};

TEST(Facts, OfADryRunGoToStandardOutput) {
  host::SessionOptions options;
  options.dry_run = true;
  FakeConsole console;
  EXPECT_EQ(debug_lines(options, console, facts), "");
  EXPECT_EQ(console.output, "cwd: /w\ncommand: sh -c 'a {} %v'\n");
}

TEST(Facts, OfADebugRunGoToStandardError) {
  host::SessionOptions options;
  options.debug = true;
  FakeConsole console;
  EXPECT_EQ(debug_lines(options, console, facts), "[debug] cwd: /w\n[debug] command: sh -c 'a {} %v'\n");
  EXPECT_EQ(console.output, "");
}

TEST(Facts, GoToBothUnderBoth) {
  host::SessionOptions options;
  options.debug = options.dry_run = true;
  FakeConsole console;
  EXPECT_EQ(debug_lines(options, console, {{"a", "b"}}), "[debug] a: b\n");
  EXPECT_EQ(console.output, "a: b\n");
}

TEST(Facts, AreNotShownUnasked) {
  FakeConsole console;
  EXPECT_EQ(debug_lines({}, console, facts), "");
  EXPECT_EQ(console.output, "");
}

TEST(Facts, CannotBeForgedByANewline) {
  host::SessionOptions options;
  options.debug = options.dry_run = true;
  FakeConsole console;
  EXPECT_EQ(debug_lines(options, console, {{"cwd", "/w\nenforcement: full\x1b[2J"}}),
            "[debug] cwd: /w enforcement: full [2J\n");
  EXPECT_EQ(console.output, "cwd: /w enforcement: full [2J\n");
}

}  // namespace
}  // namespace agentrun::cli
