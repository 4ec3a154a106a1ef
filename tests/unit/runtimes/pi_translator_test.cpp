#include "pi/translator.hpp"

#include <sys/resource.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "translation.hpp"

namespace agentrun::pi {
namespace {

using ::testing::ElementsAre;
using testing::exited;
using testing::feed;
using ::testing::IsEmpty;
using testing::Records;

constexpr std::string_view counts = R"("usage":{"input":37,"output":20,"cacheRead":64,"cacheWrite":3})";
constexpr std::string_view no_counts = R"("usage":{"input":0,"output":0,"cacheRead":0,"cacheWrite":0})";

std::string assistant(std::string_view event, std::string_view content, std::string_view rest) {
  return R"({"type":")" + std::string(event) + R"(","message":{"role":"assistant","content":)" + std::string(content) +
         R"(,"provider":"demo","model":"demo-1",)" + std::string(rest) + "}}";
}

std::string reply(std::string_view text) {
  return assistant("message_end", R"([{"type":"text","text":")" + std::string(text) + "\"}]",
                   std::string(counts) + R"(,"stopReason":"stop")");
}

std::string begins() { return assistant("message_start", "[]", R"("stopReason":"pending")"); }

std::string tool_start(std::string_view name, std::string_view arguments) {
  return R"({"type":"tool_execution_start","toolCallId":"c","toolName":")" + std::string(name) + R"(","args":)" +
         std::string(arguments) + "}";
}

constexpr std::string_view settled = R"({"type":"agent_settled","aborted":false})";

class PiTranslation : public ::testing::Test {
 protected:
  void feed_line(std::string_view line) { feed(translator_, line, records_); }
  [[nodiscard]] std::string summary_of(std::string_view name, std::string_view arguments) {
    records_.clear();
    feed_line(tool_start(name, arguments));
    const auto starts = records_.of<ToolStartRecord>();
    return starts.size() == 1 ? starts[0].summary : "no record";
  }
  [[nodiscard]] Verdict finish(const ExitFacts& exit) { return translator_.finish(exit, records_); }

  Records records_;
  PiTranslator translator_{std::nullopt};
};

TEST_F(PiTranslation, TurnsAReplyIntoTextAndThenUsage) {
  feed_line(reply("hello"));
  ASSERT_EQ(records_.all().size(), 2U);
  EXPECT_EQ(std::get<TextRecord>(records_.all()[0]).text, "hello");
  const auto& usage = std::get<UsageRecord>(records_.all()[1]);
  EXPECT_EQ(usage.model, "demo/demo-1");
  EXPECT_EQ(usage.tokens, (TokenCounts{37, 20, 64, 3}));
}

TEST_F(PiTranslation, JoinsTextPartsAndLeavesTheRestOfAReplyOut) {
  feed_line(assistant("message_end",
                      R"([{"type":"thinking","thinking":"hm","text":"no"},{"type":"text","text":"a"},)"
                      R"({"type":"toolCall","id":"x"},{"text":"b","type":"text"}])",
                      counts));
  EXPECT_EQ(records_.of<TextRecord>().at(0).text, "a\nb");
}

TEST_F(PiTranslation, GivesNoTextForAnEmptyReply) {
  feed_line(assistant("message_end", R"([{"type":"text","text":""}])", counts));
  EXPECT_THAT(records_.of<TextRecord>(), IsEmpty());
  EXPECT_EQ(records_.of<UsageRecord>().size(), 1U);
}

TEST_F(PiTranslation, ReadsAPromptInEitherForm) {
  feed_line(R"({"type":"message_end","message":{"role":"user","content":"plain"}})");
  feed_line(R"({"type":"message_end","message":{"role":"user","content":[{"type":"text","text":"part"},)"
            R"({"type":"image","data":"aGk="}]}})");
  EXPECT_EQ(records_.of<PromptRecord>().at(0).text, "plain");
  EXPECT_EQ(records_.of<PromptRecord>().at(1).text, "part");
}

TEST_F(PiTranslation, MatchesCallsByTheirId) {
  feed_line(tool_start("bash", R"({"command":"make test\nmake install"})"));
  feed_line(R"({"type":"tool_execution_end","toolCallId":"c","toolName":"bash","isError":true})");
  ASSERT_EQ(records_.all().size(), 2U);
  const auto& start = std::get<ToolStartRecord>(records_.all()[0]);
  EXPECT_EQ(start.id, "c");
  EXPECT_EQ(start.name, "bash");
  EXPECT_EQ(start.summary, "make test");
  const auto& end = std::get<ToolEndRecord>(records_.all()[1]);
  EXPECT_EQ(end.id, "c");
  EXPECT_FALSE(end.denied);
}

TEST_F(PiTranslation, SummarizesEachTool) {
  for (const char* tool : {"read", "write", "edit", "ls"}) {
    EXPECT_EQ(summary_of(tool, R"({"content":"x","path":"a/b.txt"})"), "a/b.txt") << tool;
    EXPECT_EQ(summary_of(tool, "{}"), ".") << tool;
  }
  for (const char* tool : {"grep", "find"}) EXPECT_EQ(summary_of(tool, R"({"path":".","pattern":"*.c"})"), "*.c");
  EXPECT_EQ(summary_of("mcp__x__y", R"({"path":"p"})"), "");
  EXPECT_EQ(summary_of("bash", R"({"command":7})"), "");
  EXPECT_EQ(summary_of("bash", "null"), "");
}

TEST_F(PiTranslation, IgnoresWhatRepeatsOrOnlyAnnounces) {
  feed_line(R"({"type":"turn_end","message":{"role":"assistant","content":[{"type":"text","text":"x"}]}})");
  feed_line(R"({"type":"agent_end","messages":[{"role":"user","content":"x"}]})");
  feed_line(R"({"type":"message_update","usage":{"input":1},"assistantMessageEvent":{"type":"text_delta"}})");
  feed_line(R"({"type":"message_end","message":{"role":"toolResult","content":"x"}})");
  feed_line(R"({"type":"message_start","message":{"role":"user","content":"x"}})");
  EXPECT_THAT(records_.all(), IsEmpty());
}

TEST_F(PiTranslation, UnderstandsAnyOrderOfKeys) {
  feed_line(R"( { "message" : { "content" : "late" , "role" : "user" } , "type" : "message_end" } )");
  EXPECT_EQ(records_.of<PromptRecord>().at(0).text, "late");
}

TEST_F(PiTranslation, IgnoresJunk) {
  const std::string lines[] = {
      "",
      " ",
      "null",
      "[]",
      "7",
      "\"message_end\"",
      "plain text",
      std::string("\0\x01\xFF", 3),
      R"({"type":7})",
      R"({"type":"message_end"})",
      R"({"type":"message_end","message":null})",
      R"({"type":"message_end","message":{"role":"assistant")",
      R"({"type":"message_end","message":{"role":"user","content":"a)" + std::string(1, '\0') + "\"}}",
      std::string(100000, '['),
      R"({"type":"message_end","message":{"role":"user","content":)" + std::string(5000, '[') + "}}",
  };
  for (const std::string& line : lines) feed_line(line);
  EXPECT_THAT(records_.all(), IsEmpty());
  feed_line(reply("still here"));
  EXPECT_EQ(records_.of<TextRecord>().at(0).text, "still here");
}

TEST_F(PiTranslation, NeverTakesATruncatedLineForAnEvent) {
  const std::string whole = reply("hello");
  for (std::size_t length = 0; length < whole.size(); ++length) feed_line(std::string_view(whole).substr(0, length));
  EXPECT_THAT(records_.all(), IsEmpty());
}

TEST_F(PiTranslation, ReplacesBytesThatAreNotUtf8) {
  feed_line(reply("a\xFF\xC3z"));
  EXPECT_EQ(records_.of<TextRecord>().at(0).text, "a\xEF\xBF\xBD\xEF\xBF\xBDz");
}

TEST_F(PiTranslation, ReplacesLoneSurrogates) {
  EXPECT_EQ(summary_of("bash", R"({"command":"echo \ud83d"})"), "echo \xEF\xBF\xBD");
}

TEST_F(PiTranslation, ShowsACallWithANumberThatFitsNothing) {
  EXPECT_EQ(summary_of("bash", R"({"command":"id","timeout":100000000000000000000})"), "id");
}

TEST_F(PiTranslation, TakesALineOf50Megabytes) {
  const std::string text(50'000'000, 'x');
  feed_line(reply(text));
  EXPECT_EQ(records_.of<TextRecord>().at(0).text.size(), text.size());
  feed_line(R"({"type":"tool_execution_end","toolCallId":"c","result":")" + text + "\"}");
  EXPECT_EQ(records_.of<ToolEndRecord>().size(), 1U);
}

TEST_F(PiTranslation, NeedsNoMoreMemoryForALongerStream) {
#if defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "the address sanitizer keeps freed memory";
#endif
  class Nothing final : public RecordSink {
   public:
    void record(Record&&) noexcept override {}
    void stop(std::string) noexcept override {}
  } nothing;
  const auto peak_kib = [] {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
  };
  const std::string text = reply(std::string(2000, 'x'));
  const std::string start = tool_start("bash", R"({"command":"id"})");
  const auto some = [&](int count) {
    for (int i = 0; i < count; ++i) {
      feed(translator_, text, nothing);
      feed(translator_, start, nothing);
    }
  };
  some(100);
  const long before = peak_kib();
  some(20'000);
  EXPECT_LT(peak_kib() - before, 4096);
}

TEST_F(PiTranslation, FinishesWhenTheLastReplyWasGood) {
  feed_line(assistant("message_end", "[]", std::string(no_counts) + R"(,"stopReason":"error","errorMessage":"500")"));
  feed_line(reply("hello"));
  feed_line(settled);
  EXPECT_EQ(finish(exited(0)).status, Verdict::Status::finished);
  EXPECT_EQ(records_.of<UsageRecord>().size(), 1U);
}

TEST_F(PiTranslation, FinishesWithATextThatReachedItsLimit) {
  feed_line(
      assistant("message_end", R"([{"type":"text","text":"cut"}])", std::string(counts) + R"(,"stopReason":"length")"));
  feed_line(settled);
  EXPECT_EQ(finish(exited(0)).status, Verdict::Status::finished);
}

TEST_F(PiTranslation, FailsWithTheLastErrorOfTheModel) {
  feed_line(
      assistant("message_end", "[]",
                std::string(no_counts) + R"(,"stopReason":"error","errorMessage":")" + std::string(600, 'e') + '"'));
  feed_line(settled);
  const Verdict verdict = finish(exited(0));
  EXPECT_EQ(verdict.status, Verdict::Status::failed);
  EXPECT_EQ(verdict.detail, std::string(500, 'e'));
  EXPECT_THAT(records_.all(), IsEmpty());
}

TEST_F(PiTranslation, CutsAnErrorBetweenCharacters) {
  std::string message;
  for (int i = 0; i < 501; ++i) message += "\xC3\xA4";
  feed_line(assistant("message_end", "[]", R"("stopReason":"error","errorMessage":")" + message + '"'));
  EXPECT_EQ(finish(exited(0)).detail.size(), 1000U);
}

TEST_F(PiTranslation, FailsWithTheStopReasonWhereThereIsNoMessage) {
  feed_line(assistant("message_end", "[]", R"("stopReason":"aborted")"));
  EXPECT_EQ(finish(exited(0)).detail, "stopReason: aborted");
}

TEST_F(PiTranslation, LeavesTheDetailOfANonZeroExitToStandardError) {
  feed_line(assistant("message_end", "[]", R"("stopReason":"error","errorMessage":"500")"));
  for (const ExitFacts& exit : {exited(1), testing::killed_by(9)}) {
    const Verdict verdict = finish(exit);
    EXPECT_EQ(verdict.status, Verdict::Status::failed);
    EXPECT_EQ(verdict.detail, "");
  }
}

TEST_F(PiTranslation, FailsWithoutAReply) {
  feed_line(begins());
  feed_line(settled);
  EXPECT_EQ(finish(exited(0)).status, Verdict::Status::failed);
  EXPECT_EQ(finish(exited(0)).detail, "pi produced no model reply");
}

TEST_F(PiTranslation, FailsWhenTheOutputBrokeOff) {
  feed_line(reply("hello"));
  const Verdict verdict = finish(exited(0));
  EXPECT_EQ(verdict.status, Verdict::Status::failed);
  EXPECT_EQ(verdict.detail, "pi's output ended before agent_settled");
}

TEST_F(PiTranslation, ReportsUnknownTokensOfAGoodReplyAsUnknown) {
  feed_line(
      assistant("message_end", R"([{"type":"text","text":"a"}])", std::string(no_counts) + R"(,"stopReason":"stop")"));
  EXPECT_EQ(records_.of<UsageRecord>().at(0).tokens, TokenCounts{});
  records_.clear();
  feed_line(assistant("message_end", "[]", R"("usage":{"input":-1,"output":5,"cacheRead":"x"})"));
  EXPECT_EQ(records_.of<UsageRecord>().at(0).tokens, (TokenCounts{std::nullopt, 5, std::nullopt, std::nullopt}));
}

TEST(PiModelCheck, StopsARunThatUsesAnotherModel) {
  for (const char* asked : {"demo/demo", "demo/demo-2", "Demo/demo-1", "demo/demo-1:free"}) {
    Records records;
    PiTranslator translator{asked};
    feed(translator, begins(), records);
    feed(translator, begins(), records);
    const std::string reason = "pi uses demo/demo-1, which does not match --model " + std::string(asked);
    EXPECT_THAT(records.stops(), ElementsAre(reason));
    EXPECT_EQ(translator.finish(testing::killed_by(9), records).detail, reason);
  }
}

TEST(PiModelCheck, AcceptsTheModelWithAndWithoutAThinkingLevel) {
  for (const char* asked : {"demo/demo-1", "demo/demo-1:high"}) {
    Records records;
    PiTranslator translator{asked};
    feed(translator, begins(), records);
    feed(translator, reply("hello"), records);
    feed(translator, settled, records);
    EXPECT_THAT(records.stops(), IsEmpty());
    EXPECT_EQ(translator.finish(exited(0), records).status, Verdict::Status::finished);
  }
}

TEST(PiModelCheck, LooksAtTheFirstReplyOnly) {
  Records records;
  PiTranslator translator{"demo/demo-1"};
  feed(translator, begins(), records);
  std::string other = begins();
  other.replace(other.find("demo-1"), 6, "demo-2");
  feed(translator, other, records);
  EXPECT_THAT(records.stops(), IsEmpty());
}

}  // namespace
}  // namespace agentrun::pi
