#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dsh/translator.hpp"
#include "temp_dir.hpp"
#include "translation.hpp"

namespace agentrun {
namespace {

using dsh::DshTranslator;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

std::string event(const std::string& type, const std::string& session, const std::string& data) {
  return R"({"type":")" + type + R"(","session":")" + session + R"(","time":0,"data":)" + data + "}";
}

std::string created(const std::string& session, const std::string& parent = {}) {
  return event("session/created", session, parent.empty() ? "{}" : R"({"parentSession":")" + parent + R"("})");
}

std::string prompt(const std::string& session, const std::string& text, const std::string& kind = "user") {
  return event("user/message", session,
               R"({"source":{"kind":")" + kind + R"("},"content":[{"type":"text","text":")" + text + R"("}]})");
}

std::string call(const std::string& session, const std::string& id, const std::string& name,
                 const std::string& arguments) {
  return event("tool/call", session,
               R"({"callId":")" + id + R"(","name":")" + name + R"(","arguments":")" + arguments + R"("})");
}

std::string subagent(const std::string& session, const std::string& id, const std::string& text) {
  return call(session, id, "subagent", R"({\"description\":\"job )" + id + R"(\",\"prompt\":\")" + text + R"(\"})");
}

std::string result(const std::string& session, const std::string& id, bool error = false) {
  return event("tool/result", session,
               R"({"message":{"source":{"kind":"tool","callId":")" + id +
                   R"("},"content":[{"type":"tool-result","isError":)" + (error ? "true" : "false") + "}]}}");
}

std::string answer(const std::string& session, const std::string& text, const std::string& usage = "{}") {
  return event("assistant/message", session,
               R"({"message":{"content":[{"type":"text","text":")" + text +
                   R"("}],"source":{"kind":"model","model":"m"}},"usage":)" + usage + "}");
}

std::string ended(const std::string& reason, const std::string& type = "result", const std::string& session = "s") {
  return event(type, session, R"({"reason":)" + reason + "}");
}

const std::string completed = R"({"kind":"completed"})";

class DshTranslation : public ::testing::Test {
 protected:
  void line(const std::string& text) { testing::feed(translator_, text, records_); }
  void lines(const std::vector<std::string>& all) {
    for (const std::string& text : all) line(text);
  }
  Verdict finish(int code = 0) { return translator_.finish(testing::exited(code), records_); }

  testing::TempDir root_;
  DshTranslator translator_{root_.path()};
  testing::Records records_;
};

TEST_F(DshTranslation, TakesThePromptFromTheUserAndNotWhatDshAddsToIt) {
  lines({created("s"), prompt("s", "Do it"), prompt("s", "The mode is X", "runtime")});
  ASSERT_THAT(records_.all(), SizeIs(1));
  EXPECT_EQ(records_.of<PromptRecord>().front().text, "Do it");
}

TEST_F(DshTranslation, TellsTheTokensOfACallAndLeavesOpenWhatDshDoesNotTell) {
  lines({created("s"), answer("s", "Hi", R"({"inputTokens":37,"outputTokens":20,"cacheReadTokens":64})")});
  const UsageRecord usage = records_.of<UsageRecord>().front();
  EXPECT_EQ(usage.model, "m");
  EXPECT_EQ(usage.tokens.input, 37U);
  EXPECT_EQ(usage.tokens.output, 20U);
  EXPECT_EQ(usage.tokens.cache_read, 64U);
  EXPECT_EQ(usage.tokens.cache_write, std::nullopt);
}

TEST_F(DshTranslation, GivesNoTextForAnAnswerOfCallsAlone) {
  lines({created("s"), answer("s", "")});
  EXPECT_THAT(records_.of<TextRecord>(), IsEmpty());
  EXPECT_THAT(records_.of<UsageRecord>(), SizeIs(1));
}

TEST_F(DshTranslation, SummarizesAToolByItsArguments) {
  const std::vector<std::pair<std::string, std::string>> calls = {
      {call("s", "1", "bash", R"({\"command\":\"make test\\nrm x\"})"), "make test"},
      {call("s", "2", "read", R"({\"file_path\":\"/a\"})"), "/a"},
      {call("s", "3", "write", R"({\"file_path\":\"/b\",\"content\":\"x\"})"), "/b"},
      {call("s", "4", "edit", R"({\"file_path\":\"/c\"})"), "/c"},
      {call("s", "5", "glob", R"({\"pattern\":\"*.txt\"})"), "*.txt"},
      {call("s", "6", "grep", R"({\"pattern\":\"x+\"})"), "x+"},
      {call("s", "7", "todo_write", R"({\"todos\":[]})"), ""},
      {call("s", "0", "bash", R"({\"command\":\"ls \\ud83d\"})"), "ls \uFFFD"},
      {call("s", "8", "bash", R"({\"command\":)"), ""},
      {call("s", "9", "bash", ""), ""},
  };
  for (const auto& [text, summary] : calls) {
    records_.clear();
    line(text);
    ASSERT_THAT(records_.of<ToolStartRecord>(), SizeIs(1)) << text;
    EXPECT_EQ(records_.of<ToolStartRecord>().front().summary, summary) << text;
  }
}

TEST_F(DshTranslation, FindsTheCallOfASubagentByItsPromptWhateverTheOrder) {
  lines({created("s"), subagent("s", "c1", "one"), subagent("s", "c2", "two"), created("x", "s"), created("y", "s"),
         prompt("y", "one"), prompt("x", "two"), answer("x", "from two"), answer("y", "from one")});
  const auto texts = records_.of<TextRecord>();
  ASSERT_THAT(texts, SizeIs(2));
  EXPECT_EQ(texts[0].parent, "c2");
  EXPECT_EQ(texts[1].parent, "c1");
  EXPECT_THAT(records_.of<SubagentStartRecord>(), SizeIs(2));
  EXPECT_THAT(records_.of<PromptRecord>(), IsEmpty()) << "the prompt of a subagent is not the user's";
}

TEST_F(DshTranslation, GivesEachOfTwoCallsWithTheSamePromptItsOwnSession) {
  lines({created("s"), subagent("s", "c1", "same"), subagent("s", "c2", "same"), created("x", "s"), created("y", "s"),
         prompt("x", "same"), prompt("y", "same"), answer("x", "a"), answer("y", "b")});
  EXPECT_EQ(records_.of<TextRecord>()[0].parent, "c1");
  EXPECT_EQ(records_.of<TextRecord>()[1].parent, "c2");
}

TEST_F(DshTranslation, EndsASubagentWithItsCallAndTellsAFailure) {
  lines({created("s"), subagent("s", "c1", "one"), subagent("s", "c2", "two"), result("s", "c2", true),
         result("s", "c1")});
  const auto ends = records_.of<SubagentEndRecord>();
  ASSERT_THAT(ends, SizeIs(2));
  EXPECT_EQ(ends[0].id, "c2");
  EXPECT_TRUE(ends[0].failed);
  EXPECT_FALSE(ends[1].failed);
  EXPECT_THAT(records_.of<ToolEndRecord>(), IsEmpty());
}

TEST_F(DshTranslation, NestsSubagents) {
  lines({created("s"), subagent("s", "c1", "outer"), created("x", "s"), prompt("x", "outer"),
         subagent("x", "c2", "inner"), created("y", "x"), prompt("y", "inner"),
         call("y", "t", "bash", R"({\"command\":\"ls\"})")});
  EXPECT_EQ(records_.of<SubagentStartRecord>()[1].parent, "c1");
  EXPECT_EQ(records_.of<ToolStartRecord>().front().parent, "c2");
}

TEST_F(DshTranslation, KeepsTheCallsOfSessionsApart) {
  // A model may count its calls from one again in each session.
  lines({created("s"), subagent("s", "1", "job"), created("x", "s"), prompt("x", "job"),
         call("x", "1", "bash", R"({\"command\":\"ls\"})"), result("x", "1")});
  EXPECT_THAT(records_.of<SubagentEndRecord>(), IsEmpty()) << "the subagent still runs";
  line(result("s", "1"));
  EXPECT_THAT(records_.of<SubagentEndRecord>(), SizeIs(1));
}

TEST_F(DshTranslation, MakesASubagentOfASessionThatNoCallStarted) {
  lines({created("s"), call("s", "w", "workflow", "{}"), created("x", "s"), prompt("x", "work\\nhard"),
         answer("x", "done"), ended(completed, "turn/end", "x"), created("y", "s"), prompt("y", "more"),
         ended(R"({"kind":"error","error":{"message":"m"}})", "turn/end", "y"), result("s", "w")});
  const auto starts = records_.of<SubagentStartRecord>();
  ASSERT_THAT(starts, SizeIs(2));
  EXPECT_EQ(starts[0].id, "x");
  EXPECT_EQ(starts[0].description, "work");
  EXPECT_EQ(records_.of<TextRecord>().front().parent, "x");
  const auto ends = records_.of<SubagentEndRecord>();
  ASSERT_THAT(ends, SizeIs(2));
  EXPECT_FALSE(ends[0].failed);
  EXPECT_TRUE(ends[1].failed);
  EXPECT_THAT(records_.of<ToolEndRecord>(), SizeIs(1));
}

TEST_F(DshTranslation, IsFinishedWhenTheTurnIs) {
  lines({created("s"), ended(completed)});
  EXPECT_EQ(finish().status, Verdict::Status::finished);
  EXPECT_THAT(finish().detail, IsEmpty());
}

TEST_F(DshTranslation, TakesTheEndOfTheRunFromItsLastLineOnly) {
  lines({created("s"), ended(completed, "turn/end")});
  EXPECT_EQ(finish().status, Verdict::Status::failed) << "the record of the session may not be written";
}

TEST_F(DshTranslation, IsFinishedAtTheLimitOfTokensAndSaysSo) {
  lines({created("s"), ended(R"({"kind":"max-tokens"})")});
  EXPECT_EQ(finish().status, Verdict::Status::finished);
  EXPECT_THAT(finish().detail, HasSubstr("limit of output tokens"));
}

TEST_F(DshTranslation, HasFailedWithTheErrorOfTheTurn) {
  lines({created("s"), ended(R"({"kind":"error","error":{"message":"Authentication Fails","code":"AUTH"}})")});
  EXPECT_EQ(finish(1).status, Verdict::Status::failed);
  EXPECT_EQ(finish(1).detail, "AUTH: Authentication Fails");
}

TEST_F(DshTranslation, CutsALongErrorAtFiveHundredCharacters) {
  lines({created("s"), ended(R"({"kind":"error","error":{"message":")" + std::string(2000, 'x') + R"("}})")});
  EXPECT_EQ(finish(1).detail, std::string(500, 'x'));
}

TEST_F(DshTranslation, NamesWhatTheProxyRefusedWhenTheServiceWasNotReached) {
  const auto detail_of = [&](const std::string& code) {
    line(ended(R"({"kind":"error","error":{"message":"request failed","code":")" + code + R"("}})"));
    ExitFacts exit = testing::exited(1);
    exit.last_refusal = "model.test:443 (not_allowed)";
    return translator_.finish(exit, records_).detail;
  };
  EXPECT_EQ(detail_of("TRANSPORT"),
            "TRANSPORT: request failed (the network policy refused model.test:443 (not_allowed))");
  EXPECT_EQ(detail_of("SERVER"), "SERVER: request failed") << "a tool may have been refused something";
}

TEST_F(DshTranslation, HasFailedWithoutAnEndThoughItExitsWithZero) {
  // SIGTERM.
  line(created("s"));
  EXPECT_EQ(finish().status, Verdict::Status::failed);
  EXPECT_EQ(finish().detail, "dsh ended before its turn did");
  line(ended(R"({"kind":"aborted"})"));
  EXPECT_EQ(finish().detail, "dsh's turn ended as aborted");
}

TEST_F(DshTranslation, LeavesAnExitWithAnErrorToStandardError) {
  EXPECT_EQ(finish(1).status, Verdict::Status::failed);
  EXPECT_THAT(finish(1).detail, IsEmpty());
}

TEST_F(DshTranslation, SaysWhichVariableOfTheEnvFileKeepsDshFromStarting) {
  root_.write(".env", "GOOD=1\nexport https_proxy = 'http://u:secret@p'\n");
  EXPECT_THAT(finish(1).detail, HasSubstr(".env sets https_proxy"));
  EXPECT_THAT(finish(1).detail, Not(HasSubstr("secret")));
  line(created("s"));
  EXPECT_THAT(finish(1).detail, IsEmpty()) << "it has started";
}

TEST_F(DshTranslation, SaysThatNodeIsTooOld) {
  const auto detail_of = [&](std::string_view standard_error) {
    ExitFacts exit = testing::exited(1);
    exit.standard_error_tail = standard_error;
    return translator_.finish(exit, records_).detail;
  };
  EXPECT_THAT(detail_of("  at x\n}\n\nNode.js v20.20.2\n"),
              HasSubstr("needs Node.js 22 or newer first on PATH, and found "
                        "v20.20.2."));
  EXPECT_THAT(detail_of("  at x\n}\n\nNode.js v22.23.3\n"), IsEmpty());
  EXPECT_THAT(detail_of("\nNode.js vx"), IsEmpty());
  EXPECT_THAT(detail_of("Node.js v1"), IsEmpty());
}

TEST_F(DshTranslation, DoesNotWaitForAnEnvFileThatIsAPipe) {
  ASSERT_EQ(::mkfifo((root_.path() / ".env").c_str(), 0600), 0);
  EXPECT_THAT(finish(1).detail, IsEmpty());
}

TEST_F(DshTranslation, ReadsLinesThatAreWrittenDifferently) {
  line(R"({ "session": "s", "data": {"reason": {"kind": "completed"}}, "type": "result" })");
  EXPECT_EQ(finish().status, Verdict::Status::finished);
}

TEST_F(DshTranslation, IgnoresWhatItDoesNotKnow) {
  lines({"", "plain text", "{", "[]", "null", R"({"type":"tool/call"})", R"({"type":"tool/call","data":7})",
         R"({"type":"future/event","session":"s","data":{}})", R"({"type":"result","data":{}})",
         R"({"type":"assistant/message","session":"s","data":{"message":[]}})",
         R"({"type":"tool/result","session":"s","data":{"message":{"source":null}}})",
         R"({"type":"user/message","session":"s","data":{"source":{"kind":"user"},"content":null}})"});
  EXPECT_THAT(records_.of<ToolStartRecord>(), IsEmpty());
  EXPECT_THAT(records_.of<PromptRecord>(), IsEmpty());
}

}  // namespace
}  // namespace agentrun
