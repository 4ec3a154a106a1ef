#include "codex/translator.hpp"

#include <sys/resource.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "translation.hpp"

namespace agentrun::codex {
namespace {

using ::testing::ElementsAre;
using testing::exited;
using testing::feed;
using ::testing::IsEmpty;
using testing::killed_by;
using testing::Records;

constexpr std::string_view turn_started = R"({"type":"turn.started"})";
constexpr std::string_view turn_completed =
    R"({"type":"turn.completed","usage":{"input_tokens":200,"cached_input_tokens":60,"cache_write_input_tokens":7,)"
    R"("output_tokens":80,"reasoning_output_tokens":10}})";

std::string item(std::string_view event, std::string_view id, std::string_view type, std::string_view rest) {
  return R"({"type":"item.)" + std::string(event) + R"(","item":{"id":")" + std::string(id) + R"(","type":")" +
         std::string(type) + R"(",)" + std::string(rest) + "}}";
}

std::string command(std::string_view event, std::string_view id, std::string_view script, std::string_view rest) {
  return item(event, id, "command_execution",
              R"("command":"/bin/bash -c ')" + std::string(script) + R"('",)" + std::string(rest));
}

constexpr std::string_view running = R"("aggregated_output":"","exit_code":null,"status":"in_progress")";
constexpr std::string_view ran = R"("aggregated_output":"x\n","exit_code":0,"status":"completed")";

std::string message(std::string_view text) {
  return item("completed", "item_9", "agent_message", R"("text":")" + std::string(text) + "\"");
}

std::string thread(std::string_view id) {
  return R"({"type":"thread.started","thread_id":")" + std::string(id) + "\"}";
}

class CodexTranslation : public ::testing::Test {
 protected:
  void feed_line(std::string_view line) { feed(translator_, line, records_); }
  [[nodiscard]] Verdict finish(const ExitFacts& exit) { return translator_.finish(exit, records_); }
  [[nodiscard]] std::string detail_of(const ExitFacts& exit) {
    const Verdict verdict = finish(exit);
    return verdict.status == Verdict::Status::failed ? verdict.detail : "not failed";
  }

  Records records_;
  CodexTranslator translator_{{}};
};

TEST_F(CodexTranslation, TellsACommandFromItsStartToItsEnd) {
  feed_line(command("started", "item_2", "make test", running));
  ASSERT_EQ(records_.all().size(), 1U);
  const auto& start = std::get<ToolStartRecord>(records_.all()[0]);
  EXPECT_EQ(start.id, "item_2");
  EXPECT_EQ(start.parent, "");
  EXPECT_EQ(start.name, "shell");
  EXPECT_EQ(start.summary, "make test");
  feed_line(command("completed", "item_2", "make test", ran));
  ASSERT_EQ(records_.all().size(), 2U);
  EXPECT_EQ(std::get<ToolEndRecord>(records_.all()[1]).id, "item_2");
  EXPECT_FALSE(std::get<ToolEndRecord>(records_.all()[1]).denied);
}

TEST_F(CodexTranslation, TellsACallThatIsOnlySeenWhenItEnds) {
  feed_line(item("completed", "item_1", "file_change",
                 R"("changes":[{"path":"/w/a","kind":"update"},{"path":"/w/b c","kind":"add"}],"status":"completed")"));
  const auto starts = records_.of<ToolStartRecord>();
  ASSERT_EQ(starts.size(), 1U);
  EXPECT_EQ(starts[0].name, "patch");
  EXPECT_EQ(starts[0].summary, "/w/a, /w/b c");
  EXPECT_EQ(records_.of<ToolEndRecord>().size(), 1U);
}

TEST_F(CodexTranslation, NamesServerAndToolOfAnMcpCall) {
  feed_line(item("started", "item_1", "mcp_tool_call",
                 R"("server":"files","tool":"read","arguments":{},"status":"in_progress")"));
  EXPECT_EQ(records_.of<ToolStartRecord>().at(0).name, "mcp");
  EXPECT_EQ(records_.of<ToolStartRecord>().at(0).summary, "files.read");
}

TEST_F(CodexTranslation, MarksACallThatCodexItselfRefused) {
  feed_line(command("completed", "item_1", "id", R"("aggregated_output":"","exit_code":null,"status":"declined")"));
  EXPECT_TRUE(records_.of<ToolEndRecord>().at(0).denied);
}

TEST_F(CodexTranslation, DoesNotCallACommandDeniedThatTheSandboxStopped) {
  feed_line(command("completed", "item_1", "touch /x",
                    R"("aggregated_output":"touch: Permission denied\n","exit_code":1,"status":"failed")"));
  EXPECT_FALSE(records_.of<ToolEndRecord>().at(0).denied);
}

TEST_F(CodexTranslation, CutsALongSummary) {
  feed_line(command("started", "item_1", std::string(5000, 'x'), running));
  EXPECT_EQ(records_.of<ToolStartRecord>().at(0).summary, std::string(119, 'x') + "…");
}

TEST_F(CodexTranslation, TellsATextOnceItIsWhole) {
  feed_line(item("started", "item_1", "agent_message", R"("text":"hal")"));
  feed_line(item("updated", "item_1", "agent_message", R"("text":"half")"));
  EXPECT_THAT(records_.all(), IsEmpty());
  feed_line(message("hello"));
  feed_line(message(""));
  ASSERT_EQ(records_.all().size(), 1U);
  EXPECT_EQ(std::get<TextRecord>(records_.all()[0]).text, "hello");
}

TEST_F(CodexTranslation, CountsInputWithoutCacheHits) {
  feed_line(turn_completed);
  ASSERT_EQ(records_.all().size(), 1U);
  const auto& usage = std::get<UsageRecord>(records_.all()[0]);
  EXPECT_EQ(usage.model, "");
  EXPECT_EQ(usage.tokens, (TokenCounts{140, 80, 60, 7}));
}

TEST_F(CodexTranslation, NamesTheModelThatWasAskedFor) {
  CodexTranslator translator({.model = "gpt-x"});
  feed(translator, turn_completed, records_);
  EXPECT_EQ(records_.of<UsageRecord>().at(0).model, "gpt-x");
}

TEST_F(CodexTranslation, CountsEachTokenOfSeveralTurnsOnce) {
  feed_line(turn_completed);
  feed_line(R"({"type":"turn.completed","usage":{"input_tokens":300,"cached_input_tokens":70,"output_tokens":81}})");
  EXPECT_EQ(records_.of<UsageRecord>().at(1).tokens, (TokenCounts{90, 1, 10, std::nullopt}));
}

TEST_F(CodexTranslation, TakesNonsenseCountsForNothing) {
  feed_line(R"({"type":"turn.completed","usage":{"input_tokens":5,"cached_input_tokens":9,"output_tokens":-1}})");
  EXPECT_EQ(records_.of<UsageRecord>().at(0).tokens, (TokenCounts{0, std::nullopt, 9, std::nullopt}));
  feed_line(R"({"type":"turn.completed"})");
  feed_line(R"({"type":"turn.completed","usage":null})");
}

TEST_F(CodexTranslation, LeavesOutWhatIsNoCallAndNoText) {
  for (const char* type : {"reasoning", "todo_list", "web_search", "collab_tool_call", "error", "plan"}) {
    feed_line(item("started", "item_1", type, R"("text":"x")"));
    feed_line(item("completed", "item_1", type, R"("text":"x","message":"x")"));
  }
  feed_line(turn_started);
  EXPECT_THAT(records_.all(), IsEmpty());
}

TEST_F(CodexTranslation, UnderstandsAnyOrderOfKeys) {
  feed_line(R"( { "item" : { "text" : "late" , "type" : "agent_message" } , "type" : "item.completed" } )");
  feed_line(R"({"type":"item.completed","item":{"type":"agent_message","text":"second","id":"i"}})");
  feed_line(R"({"type":"item.c\u006fmpleted","item":{"id":"i","type":"agent\u005fmessage","text":"third"}})");
  feed_line(R"({"type":"item.completed","item":{"id":"i","type":"agent\u005fmessage","text":"fourth"}})");
  const auto texts = records_.of<TextRecord>();
  ASSERT_EQ(texts.size(), 4U);
  EXPECT_EQ(texts[0].text, "late");
  EXPECT_EQ(texts[3].text, "fourth");
}

TEST_F(CodexTranslation, IgnoresJunk) {
  const std::string lines[] = {
      "",
      "null",
      "[]",
      "\"item.completed\"",
      "2026-12-01T04:12:11Z ERROR codex_core: text",
      std::string("\0\x01\xFF", 3),
      R"({"type":7})",
      R"({"type":"item.completed"})",
      R"({"type":"item.completed","item":null})",
      R"({"type":"item.completed","item":{"id":"i","type":"agent_message","text":7}})",
      R"({"type":"item.completed","item":{"id":"i","type":"agent_message","text":"cut)",
      R"({"type":"item.completed","item":{"id":")" + std::string(100, 'i') + R"(","type":"agent_message"}})",
      R"({"type":"item.completed","item":{"id":"i","type":")" + std::string(100, 'x') + R"("}})",
      std::string(100000, '['),
      R"({"type":"item.completed","item":{"id":"i","type":"command_execution","command":)" + std::string(5000, '[') +
          "}}",
  };
  for (const std::string& line : lines) feed_line(line);
  EXPECT_THAT(records_.all(), IsEmpty());
  feed_line(message("still here"));
  EXPECT_EQ(records_.of<TextRecord>().at(0).text, "still here");
}

TEST_F(CodexTranslation, NeverTakesATruncatedLineForAnEvent) {
  for (const std::string& whole : {message("hello"), command("started", "item_1", "id", running)}) {
    for (std::size_t length = 0; length < whole.size(); ++length) feed_line(std::string_view(whole).substr(0, length));
  }
  EXPECT_THAT(records_.all(), IsEmpty());
}

TEST_F(CodexTranslation, ReplacesBytesThatAreNotUtf8) {
  feed_line(message("a\xFF\xC3z"));
  EXPECT_EQ(records_.of<TextRecord>().at(0).text, "a\xEF\xBF\xBD\xEF\xBF\xBDz");
}

TEST_F(CodexTranslation, TakesALineOf50Megabytes) {
  const std::string text(50'000'000, 'x');
  feed_line(message(text));
  EXPECT_EQ(records_.of<TextRecord>().at(0).text.size(), text.size());
  feed_line(command("completed", "item_1", "id",
                    R"("aggregated_output":")" + text + R"(","exit_code":0,"status":"completed")"));
  EXPECT_EQ(records_.of<ToolEndRecord>().size(), 1U);
}

TEST_F(CodexTranslation, NeedsNoMoreMemoryForALongerStream) {
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
  const std::string text = message(std::string(2000, 'x'));
  const auto some = [&](int count) {
    for (int i = 0; i < count; ++i) {
      const std::string id = "item_" + std::to_string(i);
      feed(translator_, text, nothing);
      feed(translator_, command("started", id, "id", running), nothing);
      feed(translator_, command("completed", id, "id", ran), nothing);
    }
  };
  some(100);
  const long before = peak_kib();
  some(20'000);
  EXPECT_LT(peak_kib() - before, 4096);
}

TEST_F(CodexTranslation, FinishesWithACompletedTurnAndTellsTheThread) {
  feed_line(thread("01a2"));
  feed_line(turn_completed);
  const Verdict verdict = finish(exited(0));
  EXPECT_EQ(verdict.status, Verdict::Status::finished);
  EXPECT_EQ(verdict.session, "01a2");
}

TEST_F(CodexTranslation, FinishesInSpiteOfErrorsThatWereOvercome) {
  feed_line(R"({"type":"error","message":"Reconnecting... 2/5 unexpected status 404"})");
  feed_line(turn_completed);
  EXPECT_EQ(finish(exited(0)).status, Verdict::Status::finished);
}

TEST_F(CodexTranslation, FailsWithTheErrorOfTheTurn) {
  feed_line(R"({"type":"error","message":"Reconnecting... 1/5"})");
  feed_line(R"({"type":"turn.failed","error":{"message":"unexpected status 401"}})");
  EXPECT_EQ(detail_of(exited(1)), "unexpected status 401");
}

TEST_F(CodexTranslation, FailsWithAnErrorWhenNoTurnWasCompleted) {
  feed_line(R"({"type":"error","message":"first"})");
  feed_line(R"({"type":"error","message":"stream disconnected"})");
  EXPECT_EQ(detail_of(exited(0)), "stream disconnected");
}

TEST_F(CodexTranslation, CutsAnErrorTo500Characters) {
  std::string umlauts;
  for (int i = 0; i < 600; ++i) umlauts += "ä";
  feed_line(R"({"type":"turn.failed","error":{"message":")" + umlauts + "\"}}");
  EXPECT_EQ(detail_of(exited(1)), umlauts.substr(0, 1000));
}

TEST_F(CodexTranslation, TellsWhichConnectionTheProxyRefused) {
  feed_line(R"({"type":"turn.failed","error":{"message":"Connection failed: error sending request"}})");
  ExitFacts exit = exited(1);
  exit.last_refusal = "chatgpt.com:443 (not_allowed)";
  EXPECT_EQ(detail_of(exit),
            "Connection failed: error sending request; the proxy refused chatgpt.com:443 (not_allowed)");
}

TEST_F(CodexTranslation, DoesNotBlameTheProxyForOtherFailures) {
  feed_line(R"({"type":"turn.failed","error":{"message":"wrong key"}})");
  ExitFacts exit = exited(1);
  exit.last_refusal = "a.test:443 (not_allowed)";
  EXPECT_EQ(detail_of(exit), "wrong key");
}

TEST_F(CodexTranslation, FailsWithStandardErrorWhenTheProcessDid) {
  feed_line(turn_completed);
  EXPECT_EQ(detail_of(exited(1)), "");
  EXPECT_EQ(detail_of(killed_by(15)), "");
}

TEST_F(CodexTranslation, FailsWithoutACompletedTurn) {
  feed_line(thread("01a2"));
  EXPECT_EQ(detail_of(exited(0)), "codex produced no turn.completed");
}

TEST_F(CodexTranslation, FailsWhenTheSandboxCouldNotBeMade) {
  const struct {
    const char* output;
    const char* reason;
  } cases[] = {
      {R"(bwrap: setting up uid map: Permission denied\n)", "bwrap: setting up uid map: Permission denied"},
      {R"(bundled bubblewrap digest mismatch for /x\n)", "bundled bubblewrap digest mismatch for /x"},
      {R"(\nthread 'main' (7593) panicked at linux-sandbox/src/launcher.rs:68:13:\nbubblewrap is unavailable\nnote\n)",
       "bubblewrap is unavailable"},
  };
  for (const auto& [output, reason] : cases) {
    CodexTranslator translator({});
    feed(translator,
         command("completed", "item_0", "id",
                 R"("aggregated_output":")" + std::string(output) + R"(","exit_code":1,"status":"failed")"),
         records_);
    feed(translator, turn_completed, records_);
    const Verdict verdict = translator.finish(exited(0), records_);
    EXPECT_EQ(verdict.status, Verdict::Status::failed);
    EXPECT_EQ(verdict.detail, "sandbox failed to start: " + std::string(reason));
  }
}

TEST_F(CodexTranslation, LetsACommandThatEndsWellPrintWhatItLikes) {
  feed_line(command("completed", "item_0", "cat log",
                    R"("aggregated_output":"bwrap: from a log\n","exit_code":0,"status":"completed")"));
  feed_line(turn_completed);
  EXPECT_EQ(finish(exited(0)).status, Verdict::Status::finished);
}

TEST_F(CodexTranslation, KnowsNoBrokenSandboxWhereThereIsNone) {
  CodexTranslator translator({.sandboxed = false});
  feed(translator,
       command("completed", "item_0", "bwrap x",
               R"("aggregated_output":"bwrap: execvp x\n","exit_code":1,"status":"failed")"),
       records_);
  feed(translator, turn_completed, records_);
  EXPECT_EQ(translator.finish(exited(0), records_).status, Verdict::Status::finished);
}

TEST_F(CodexTranslation, StopsARunThatGoesOnWithAnotherThread) {
  CodexTranslator translator({.resume = "01a2"});
  feed(translator, thread("01a2"), records_);
  EXPECT_THAT(records_.stops(), IsEmpty());
  feed(translator, thread("ffff"), records_);
  EXPECT_THAT(records_.stops(), ElementsAre("codex went on with the thread ffff, not with 01a2"));
  feed(translator, turn_completed, records_);
  EXPECT_EQ(translator.finish(exited(0), records_).detail, records_.stops()[0]);
}

}  // namespace
}  // namespace agentrun::codex
