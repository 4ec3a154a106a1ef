#include "cli/suggestion.hpp"

#include <gtest/gtest.h>

namespace agentrun::cli {
namespace {

const std::vector<std::string> known = {"claude-code", "codex", "pi", "--prompt", "--prompt-file"};

TEST(Suggestion, IsTheNearestWord) {
  EXPECT_EQ(suggestion("codx", known), "codex");
  EXPECT_EQ(suggestion("cdoex", known), "codex");
  EXPECT_EQ(suggestion("codexx", known), "codex");
  EXPECT_EQ(suggestion("p", known), "pi");
  EXPECT_EQ(suggestion("--prompt-fil", known), "--prompt-file");
}

TEST(Suggestion, IsAWordThatGoesOn) { EXPECT_EQ(suggestion("claude", known), "claude-code"); }

TEST(Suggestion, IsNothingWhenNoWordIsNear) {
  EXPECT_EQ(suggestion("gemini", known), std::nullopt);
  EXPECT_EQ(suggestion("", known), std::nullopt);
  EXPECT_EQ(suggestion("codex", {}), std::nullopt);
  EXPECT_EQ(suggestion(std::string(1'000'000, 'c'), known), std::nullopt);
}

}  // namespace
}  // namespace agentrun::cli
