#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "claude_lines.hpp"

namespace agentrun::claude_code {
namespace {

using ClaudeVerdict = ClaudeTranslation;

TEST_F(ClaudeVerdict, FinishesWithTheLastResult) {
  feed_line(last(R"("is_error":true,"subtype":"success","result":"API Error")"));
  feed_line(last(good));
  const Verdict verdict = finish();
  EXPECT_EQ(verdict.status, Verdict::Status::finished);
  EXPECT_EQ(verdict.detail, "");
  EXPECT_FALSE(verdict.usage.has_value());
  EXPECT_FALSE(verdict.session.has_value());
}

TEST_F(ClaudeVerdict, FailsWithTheTextOfTheResult) {
  feed_line(last(R"("is_error":true,"subtype":"success","result":"API Error: 400","errors":["other"])"));
  const Verdict verdict = finish(exited(1));
  EXPECT_EQ(verdict.status, Verdict::Status::failed);
  EXPECT_EQ(verdict.detail, "API Error: 400");
}

TEST_F(ClaudeVerdict, FailsWithTheFirstErrorWhereTheResultHasNoText) {
  feed_line(last(R"("is_error":true,"subtype":"error_during_execution","errors":["No conversation","other"])"));
  EXPECT_EQ(finish(exited(1)).detail, "No conversation");
  feed_line(last(R"("is_error":true,"subtype":"error_during_execution")"));
  EXPECT_EQ(finish(exited(1)).detail, "error_during_execution");
}

TEST_F(ClaudeVerdict, FailsByItsExitCodeWithTheTailOfStandardError) {
  feed_line(last(good));
  EXPECT_EQ(finish(exited(1)).status, Verdict::Status::failed);
  EXPECT_EQ(finish(exited(1)).detail, "");
  EXPECT_EQ(finish(killed_by(9)).status, Verdict::Status::failed);
}

TEST_F(ClaudeVerdict, FailsWithoutAResult) {
  EXPECT_EQ(finish(exited(0)).detail, "runtime exited with code 0 without a result event");
  EXPECT_EQ(finish(exited(143)).detail, "runtime exited with code 143 without a result event");
  ExitFacts with_text = exited(1);
  with_text.standard_error_tail = "error: unknown option";
  EXPECT_EQ(finish(with_text).detail, "");
  EXPECT_EQ(finish(killed_by(9)).status, Verdict::Status::failed);
}

TEST_F(ClaudeVerdict, ReportsTheTurnLimit) {
  feed_line(last(R"("is_error":true,"subtype":"error_max_turns","errors":["Reached maximum number of turns"])"));
  const Verdict verdict = finish(exited(1));
  EXPECT_EQ(verdict.status, Verdict::Status::limit);
  EXPECT_EQ(verdict.detail, "");
}

TEST_F(ClaudeVerdict, ReportsItsOwnTotalsByModel) {
  feed_line(last(R"("is_error":false,"subtype":"success","modelUsage":{"a":{"inputTokens":1,"outputTokens":2,)"
                 R"("cacheReadInputTokens":3,"cacheCreationInputTokens":4},"b":{"inputTokens":10}})"));
  const auto usage = finish().usage;
  ASSERT_TRUE(usage.has_value());
  EXPECT_EQ(usage->total, (TokenCounts{11, 2, 3, 4}));
  EXPECT_EQ(usage->by_model.at("a"), (TokenCounts{1, 2, 3, 4}));
  EXPECT_EQ(usage->by_model.at("b"), (TokenCounts{10, std::nullopt, std::nullopt, std::nullopt}));
}

TEST_F(ClaudeVerdict, FailsWhenItsSandboxCouldNotStartTheLastCommand) {
  feed_line(assistant("m", call("c", "Bash", R"({"command":"id"})")));
  feed_line(result("c", R"("Exit code 1\nbwrap: Creating new namespace failed: Operation not permitted\nmore")",
                   R"(,"is_error":true)"));
  feed_line(last(good));
  EXPECT_EQ(finish().status, Verdict::Status::failed);
  EXPECT_EQ(finish().detail, "sandbox failed to start: Creating new namespace failed: Operation not permitted");
  feed_line(assistant("m", call("d", "Bash", R"({"command":"id"})")));
  feed_line(result("d", "\"root\""));
  EXPECT_EQ(finish().status, Verdict::Status::finished);
}

TEST_F(ClaudeVerdict, TakesOnlyAFailedCommandForABrokenSandbox) {
  for (const auto& [content, more] :
       std::map<std::string, std::string>{{R"("bwrap: no")", ""},
                                          {R"("Exit code 1\nbwrap: no")", ""},
                                          {R"("Exit code 1\nsee bwrap: no")", R"(,"is_error":true)"},
                                          {R"("Exit code x\nbwrap: no")", R"(,"is_error":true)"},
                                          {R"("bwrap: no")", R"(,"is_error":true)"}}) {
    feed_line(assistant("m", call("c", "Bash", R"({"command":"id"})")));
    feed_line(result("c", content, more));
    feed_line(last(good));
    EXPECT_EQ(finish().status, Verdict::Status::finished) << content;
  }
}

TEST(ClaudeSession, IsToldWhenItIsKept) {
  Records records;
  ClaudeTranslator translator({.cwd = "/w", .keeps_session = true});
  EXPECT_FALSE(translator.finish(exited(0), records).session.has_value());
  feed(translator, R"({"type":"system","subtype":"init","session_id":"the-id","tools":[]})", records);
  EXPECT_EQ(translator.finish(killed_by(9), records).session, "the-id");
}

}  // namespace
}  // namespace agentrun::claude_code
