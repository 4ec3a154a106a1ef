#include "claude_code/translator.hpp"

#include <sys/resource.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "claude_lines.hpp"

namespace agentrun::claude_code {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST_F(ClaudeTranslation, TakesTheFirstReplayForThePromptAndNoLaterOne) {
  feed_line(R"({"type":"user","message":{"role":"user","content":"not it"},"parent_tool_use_id":null})");
  feed_line(R"({"type":"user","message":{"role":"user","content":"do it"},"isReplay":true})");
  feed_line(R"({"type":"user","message":{"role":"user","content":"a report"},"isReplay":true})");
  ASSERT_EQ(records_.all().size(), 1U);
  EXPECT_EQ(records_.of<PromptRecord>().at(0).text, "do it");
}

TEST_F(ClaudeTranslation, ReadsAPromptOfBlocks) {
  feed_line(R"({"isReplay":true,"message":{"content":[{"type":"text","text":"a"},{"type":"image","source":{}},)"
            R"({"text":"b","type":"text"}],"role":"user"},"type":"user"})");
  EXPECT_EQ(records_.of<PromptRecord>().at(0).text, "a\nb");
}

TEST_F(ClaudeTranslation, GivesEachBlockItsRecordAndLeavesThinkingOut) {
  feed_line(assistant("m", R"({"type":"thinking","thinking":"hm","text":"no"})"));
  feed_line(assistant("m", text("hello")));
  feed_line(assistant("m", text("")));
  feed_line(assistant("m", call("c", "Bash", R"({"command":"make test\nmake install"})")));
  ASSERT_EQ(records_.all().size(), 2U);
  EXPECT_EQ(std::get<TextRecord>(records_.all()[0]).text, "hello");
  const auto& start = std::get<ToolStartRecord>(records_.all()[1]);
  EXPECT_EQ(start.id, "c");
  EXPECT_EQ(start.name, "Bash");
  EXPECT_EQ(start.summary, "make test");
}

TEST_F(ClaudeTranslation, TellsUsageOnceForEachAnswerWithItsLastNumbers) {
  feed_line(assistant("m1", text("a"), "null", "1"));
  feed_line(assistant("m1", text("b"), "null", "7"));
  EXPECT_THAT(records_.of<UsageRecord>(), IsEmpty());
  feed_line(assistant("m2", text("c"), "null", "4"));
  ASSERT_EQ(records_.of<UsageRecord>().size(), 1U);
  EXPECT_EQ(records_.of<UsageRecord>()[0].model, "claude-x");
  EXPECT_EQ(records_.of<UsageRecord>()[0].tokens, (TokenCounts{10, 7, 3, 2}));
  (void)finish();
  ASSERT_EQ(records_.of<UsageRecord>().size(), 2U);
  EXPECT_EQ(records_.of<UsageRecord>()[1].tokens.output, 4U);
}

TEST_F(ClaudeTranslation, TellsUsageBeforeTheTextOfTheNextAnswer) {
  feed_line(assistant("m1", text("a")));
  feed_line(assistant("m2", text("b")));
  ASSERT_EQ(records_.all().size(), 3U);
  EXPECT_TRUE(std::holds_alternative<UsageRecord>(records_.all()[1]));
}

TEST_F(ClaudeTranslation, KeepsTheUsageOfASubagentApart) {
  feed_line(assistant("m1", call("t", "Task", R"({"description":"d"})")));
  feed_line(assistant("m2", text("x"), "\"t\"", "5"));
  feed_line(assistant("m1", text("y")));
  EXPECT_THAT(records_.of<UsageRecord>(), IsEmpty());
  feed_line(result("t", "\"done\""));
  ASSERT_EQ(records_.of<UsageRecord>().size(), 1U);
  EXPECT_EQ(records_.of<UsageRecord>()[0].parent, "t");
  EXPECT_TRUE(std::holds_alternative<UsageRecord>(records_.all()[records_.all().size() - 2]));
  EXPECT_TRUE(std::holds_alternative<SubagentEndRecord>(records_.all().back()));
}

TEST_F(ClaudeTranslation, GivesTheTextOfASyntheticMessageButNoUsage) {
  feed_line(R"({"type":"assistant","message":{"id":"u","model":"<synthetic>","content":[)" + text("API Error") +
            R"(],"usage":{"input_tokens":0,"output_tokens":0}},"parent_tool_use_id":null})");
  (void)finish();
  EXPECT_EQ(records_.of<TextRecord>().size(), 1U);
  EXPECT_THAT(records_.of<UsageRecord>(), IsEmpty());
}

TEST_F(ClaudeTranslation, LeavesNumbersThatAreNotThereUnknown) {
  feed_line(R"({"type":"assistant","message":{"id":"u","model":"m","content":[],"usage":)"
            R"({"input_tokens":-1,"output_tokens":5,"cache_read_input_tokens":"x"}}})");
  feed_line(R"({"type":"assistant","message":{"id":"v","model":"m","content":[],"usage":null}})");
  (void)finish();
  ASSERT_EQ(records_.of<UsageRecord>().size(), 1U);
  EXPECT_EQ(records_.of<UsageRecord>()[0].tokens, (TokenCounts{std::nullopt, 5, std::nullopt, std::nullopt}));
}

TEST_F(ClaudeTranslation, SummarizesEachTool) {
  for (const char* tool : {"Read", "Edit", "Write"}) {
    EXPECT_EQ(summary_of(tool, R"({"file_path":"/w/a/b.txt"})"), "a/b.txt") << tool;
    EXPECT_EQ(summary_of(tool, R"({"file_path":"/where/b.txt"})"), "/where/b.txt") << tool;
    EXPECT_EQ(summary_of(tool, R"({"file_path":"/w/../etc/x"})"), "/w/../etc/x") << tool;
    EXPECT_EQ(summary_of(tool, R"({"file_path":"/w/.."})"), "/w/..") << tool;
    EXPECT_EQ(summary_of(tool, R"({"file_path":"/w"})"), "/w") << tool;
    EXPECT_EQ(summary_of(tool, "{}"), "") << tool;
  }
  EXPECT_EQ(summary_of("Glob", R"({"path":"/w","pattern":"**/*.c"})"), "**/*.c");
  EXPECT_EQ(summary_of("Grep", R"({"pattern":"TODO"})"), "TODO");
  EXPECT_EQ(summary_of("WebFetch", R"({"url":"https://example.com/","prompt":"p"})"), "https://example.com/");
  EXPECT_EQ(summary_of("WebSearch", R"({"query":"q"})"), "");
  EXPECT_EQ(summary_of("Bash", R"({"command":7})"), "");
  EXPECT_EQ(summary_of("Bash", "null"), "");
}

TEST_F(ClaudeTranslation, EndsACallWithItsResult) {
  feed_line(assistant("m", call("c", "Bash", R"({"command":"id"})")));
  feed_line(result("c", "\"root\""));
  ASSERT_EQ(records_.of<ToolEndRecord>().size(), 1U);
  EXPECT_EQ(records_.of<ToolEndRecord>()[0].id, "c");
  EXPECT_THAT(denials(), ElementsAre(false));
}

TEST_F(ClaudeTranslation, EndsEveryCallWhoseResultIsInTheLine) {
  feed_line(
      R"({"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"a"},{"type":"text","text":"x"},)"
      R"({"type":"tool_result","tool_use_id":"b"}]},"tool_result_meta":[{"id":"a"},)"
      R"({"id":"b","permission_decision":{"decision":"reject"}}]})");
  EXPECT_THAT(denials(), ElementsAre(false, true));
}

TEST_F(ClaudeTranslation, MarksACallDeniedByItsEvent) {
  feed_line(R"({"type":"system","subtype":"permission_denied","tool_name":"Write","tool_use_id":"c"})");
  EXPECT_EQ(records_.of<ToolDeniedRecord>().at(0).id, "c");
}

TEST_F(ClaudeTranslation, MarksACallDeniedByTheTextsThatRefuse) {
  for (
      const char* refusal :
      {R"("<tool_use_error>File is in a directory that is denied by your permission settings.</tool_use_error>")",
       R"([{"type":"text","text":"<tool_use_error>File is covered by a Read deny rule in your permission settings and )"
       R"(cannot be written.</tool_use_error>"}])"}) {
    records_.clear();
    feed_line(assistant("m", call("c", "Read", R"({"file_path":"/x"})")));
    feed_line(result("c", refusal, R"(,"is_error":true)"));
    EXPECT_THAT(denials(), ElementsAre(true)) << refusal;
  }
}

TEST_F(ClaudeTranslation, DoesNotTakeTheOutputOfACommandForARefusal) {
  feed_line(assistant("m", call("c", "Bash", R"({"command":"cat log"})")));
  feed_line(result("c", R"("<tool_use_error>File is in a directory that is denied by your permission settings.")"));
  feed_line(assistant("m", call("d", "Read", R"({"file_path":"log"})")));
  feed_line(result("d", R"("1\t<tool_use_error>File is in a directory that is denied by your permission settings.")"));
  EXPECT_THAT(denials(), ElementsAre(false, false));
}

TEST_F(ClaudeTranslation, StartsASubagentByEitherNameOfTheTool) {
  feed_line(
      assistant("m", call("t", "Task", R"({"description":"look\naround","subagent_type":"Explore","model":"haiku"})")));
  feed_line(assistant("m", call("u", "Agent", "{}"), "\"t\""));
  const auto starts = records_.of<SubagentStartRecord>();
  ASSERT_EQ(starts.size(), 2U);
  EXPECT_EQ(starts[0].id, "t");
  EXPECT_EQ(starts[0].parent, "");
  EXPECT_EQ(starts[0].kind, "Explore");
  EXPECT_EQ(starts[0].model, "haiku");
  EXPECT_EQ(starts[0].description, "look");
  EXPECT_EQ(starts[1].parent, "t");
  EXPECT_EQ(starts[1].kind, "general-purpose");
  EXPECT_EQ(starts[1].model, "");
  EXPECT_THAT(records_.of<ToolStartRecord>(), IsEmpty());
}

TEST_F(ClaudeTranslation, EndsASubagentInTheForegroundByItsResult) {
  feed_line(assistant("m", call("t", "Task", "{}")));
  feed_line(assistant("m", call("u", "Task", "{}")));
  feed_line(result("t", R"([{"type":"text","text":"report"}])"));
  feed_line(result("u", "\"broken\"", R"(,"is_error":true)"));
  const auto ends = records_.of<SubagentEndRecord>();
  ASSERT_EQ(ends.size(), 2U);
  EXPECT_FALSE(ends[0].failed);
  EXPECT_TRUE(ends[1].failed);
  EXPECT_THAT(records_.of<ToolEndRecord>(), IsEmpty());
}

TEST_F(ClaudeTranslation, EndsASubagentInTheBackgroundByItsNotification) {
  feed_line(assistant("m", call("t", "Task", "{}")));
  feed_line(assistant("m", call("u", "Task", "{}")));
  for (const char* id : {"t", "u"}) {
    feed_line(result(id, R"([{"type":"text","text":"Async agent launched successfully. (This …"
  }])"));
  }
  EXPECT_THAT(records_.of<SubagentEndRecord>(), IsEmpty());
  feed_line(notification("u", "killed"));
  feed_line(notification("t", "completed"));
  feed_line(notification("t", "failed"));
  const auto ends = records_.of<SubagentEndRecord>();
  ASSERT_EQ(ends.size(), 2U);
  EXPECT_EQ(ends[0].id, "u");
  EXPECT_TRUE(ends[0].failed);
  EXPECT_FALSE(ends[1].failed);
}

TEST_F(ClaudeTranslation, IgnoresTheNotificationOfACommand) {
  feed_line(assistant("m", call("c", "Bash", R"({"command":"sleep 9","run_in_background":true})")));
  feed_line(notification("c", "completed"));
  feed_line(notification("", "completed"));
  EXPECT_THAT(records_.of<SubagentEndRecord>(), IsEmpty());
}

TEST_F(ClaudeTranslation, GivesNoToolForTheReportOfASubagent) {
  feed_line(assistant("m", call("h", "SubagentHandback", R"({"report":"x"})"), "\"t\""));
  EXPECT_THAT(records_.of<ToolStartRecord>(), IsEmpty());
}

TEST_F(ClaudeTranslation, SaysWhenSubagentsAreOfferedInSpiteOfTheOption) {
  const std::string init = R"({"type":"system","subtype":"init","session_id":"s","tools":["Bash","Task"]})";
  feed_line(init);
  EXPECT_THAT(records_.all(), IsEmpty()) << "they are allowed";
  ClaudeTranslator without({.cwd = "/w", .subagents = false});
  feed(without, R"({"type":"system","subtype":"init","tools":["Bash"]})", records_);
  EXPECT_THAT(records_.all(), IsEmpty());
  feed(without, init, records_);
  feed(without, init, records_);
  ASSERT_EQ(records_.of<NoteRecord>().size(), 1U);
  EXPECT_EQ(records_.of<NoteRecord>()[0].text, "claude offers its tool for subagents in spite of --no-subagents");
}

TEST_F(ClaudeTranslation, TakesACallForASubagentThatIsNotOfferedForAnyOtherCall) {
  feed_line(R"({"type":"system","subtype":"init","tools":["Bash"]})");
  feed_line(assistant("m", call("t", "Task", "{}")));
  feed_line(result("t", "\"no such tool\"", R"(,"is_error":true)"));
  EXPECT_THAT(records_.of<SubagentStartRecord>(), IsEmpty());
  EXPECT_EQ(records_.of<ToolStartRecord>().at(0).name, "Task");
  EXPECT_EQ(records_.of<ToolEndRecord>().size(), 1U);
}

TEST_F(ClaudeTranslation, UnderstandsAnyOrderOfKeys) {
  feed_line(
      R"( { "parent_tool_use_id" : null , "message" : { "content" : [ { "text" : "late" , "type" : "text" } ] } ,)"
      R"( "type" : "assistant" } )");
  feed_line(R"({"tool_use_id":"c","subtype":"permission_denied","type":"system"})");
  feed_line(R"({"type":"system","uuid":"u","subtype":"permission_denied","tool_use_id":"d"})");
  EXPECT_EQ(records_.of<TextRecord>().at(0).text, "late");
  EXPECT_EQ(records_.of<ToolDeniedRecord>().size(), 2U);
}

TEST_F(ClaudeTranslation, IgnoresJunk) {
  const std::string lines[] = {
      "",
      " ",
      "null",
      "[]",
      "7",
      "\"assistant\"",
      "plain text",
      std::string("\0\x01\xFF", 3),
      R"({"type":7})",
      R"({"type":"assistant"})",
      R"({"type":"assistant","message":null})",
      R"({"type":"assistant","message":{"content":{"type":"text","text":"x"}}})",
      R"({"type":"assistant","message":{"content":[7,null,"x",[]]}})",
      R"({"type":"user","message":[]})",
      R"({"type":"user","message":{"content":[{"type":"tool_result"]}})",
      R"({"type":"assistant","message":{"content":[{"type":"text","text":"a)" + std::string(1, '\0') + "\"}]}}",
      std::string(100000, '['),
      R"({"type":"assistant","message":{"content":)" + std::string(5000, '[') + "}}",
  };
  for (const std::string& line : lines) feed_line(line);
  EXPECT_THAT(records_.all(), IsEmpty());
  feed_line(assistant("m", text("still here")));
  EXPECT_EQ(records_.of<TextRecord>().at(0).text, "still here");
}

TEST_F(ClaudeTranslation, NeverTakesATruncatedLineForAnEvent) {
  const std::string whole = assistant("m", text("hello"));
  for (std::size_t length = 0; length < whole.size(); ++length) feed_line(std::string_view(whole).substr(0, length));
  EXPECT_THAT(records_.all(), IsEmpty());
}

TEST_F(ClaudeTranslation, ReplacesBytesThatAreNotUtf8) {
  feed_line(assistant("m", text("a\xFF\xC3z")));
  EXPECT_EQ(records_.of<TextRecord>().at(0).text, "a\xEF\xBF\xBD\xEF\xBF\xBDz");
}

TEST_F(ClaudeTranslation, TakesALineOf50Megabytes) {
  const std::string words(50'000'000, 'x');
  feed_line(assistant("m", text(words)));
  EXPECT_EQ(records_.of<TextRecord>().at(0).text.size(), words.size());
  feed_line(result("c", '"' + words + '"'));
  EXPECT_EQ(records_.of<ToolEndRecord>().size(), 1U);
}

TEST_F(ClaudeTranslation, NeedsNoMoreMemoryForALongerStream) {
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
  const auto some = [&](int from, int to) {
    for (int i = from; i < to; ++i) {
      const std::string id = std::to_string(i);
      const std::string agent = "agent" + id;
      feed(translator_, assistant("m" + id, call(id, "Bash", R"({"command":"id"})")), nothing);
      feed(translator_, result(id, '"' + std::string(1000, 'x') + '"'), nothing);
      feed(translator_, assistant("m" + id, call(agent, "Task", "{}")), nothing);
      feed(translator_, assistant("n" + id, text("x"), '"' + agent + '"'), nothing);
      feed(translator_, notification(agent, "completed"), nothing);
    }
  };
  some(0, 100);
  const long before = peak_kib();
  some(100, 20'000);
  EXPECT_LT(peak_kib() - before, 4096);
}

}  // namespace
}  // namespace agentrun::claude_code
