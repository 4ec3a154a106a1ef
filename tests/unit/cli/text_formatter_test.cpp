#include "cli/text_formatter.hpp"

#include <gmock/gmock.h>

namespace agentrun::cli {
namespace {

using std::chrono::milliseconds;

class TextFormatterTest : public ::testing::Test {
 protected:
  std::string line(EventBody body) {
    std::string out;
    formatter_.format(Event{{}, std::move(body)}, out);
    return out;
  }

  TextFormatter formatter_;
};

StartEvent start(std::string sandbox) {
  StartEvent event;
  event.runtime = "claude-code";
  event.sandbox = std::move(sandbox);
  return event;
}

EndEvent end(RunStatus status, std::string detail) {
  EndEvent event;
  event.status = status;
  event.duration = milliseconds(31'300);
  event.detail = std::move(detail);
  return event;
}

TEST_F(TextFormatterTest, ShowsAWholeRun) {
  UsageTotals small;
  small.total = {.input = 100, .output = 85, .cache_read = 3'000, .cache_write = {}};
  EndEvent last = end(RunStatus::finished, "");
  last.usage.total = {.input = 20'000, .output = 900, .cache_read = 41'800, .cache_write = 3'500};

  std::string out;
  for (const EventBody& body : std::vector<EventBody>{
           start("bubblewrap"), PromptEvent{"Make the tests pass\nand more"}, TextEvent{{}, "I will look.\nThen act."},
           ToolEvent{"t1", {}, "Bash", "make test", false}, ToolEvent{"t2", {}, "Write", "/etc/passwd", true},
           ToolEvent{"t3", {}, "TodoWrite", "", false}, UsageEvent{{}, "claude-opus-4", {}},
           SubagentStartEvent{"s1", {}, 1, "Explore", "haiku", "Find the failing test"},
           ToolEvent{"t4", "s1", "Read", "a.cpp", false}, UsageEvent{"s1", "claude-haiku-4-5", {}},
           SubagentStartEvent{"s2", "s1", 2, "general-purpose", {}, ""}, TextEvent{"s2", "nested"},
           SubagentEndEvent{"s2", true, milliseconds(125'000), {}},
           SubagentEndEvent{"s1", false, milliseconds(12'400), small},
           NetworkEvent{"example.com", 443, false, DenyReason::not_allowed},
           NetworkEvent{"10.0.0.1", 80, false, DenyReason::private_address},
           NetworkEvent{"files.example.com", 443, true, {}}, NoteEvent{"the raw file is full"}, last}) {
    formatter_.format(Event{{}, body}, out);
  }
  EXPECT_EQ(out,
            "[main] prompt Make the tests pass\n"
            "[main] text I will look.\n"
            "[main] tool Bash: make test\n"
            "[main] tool Write: /etc/passwd (denied)\n"
            "[main] tool TodoWrite\n"
            "[main] agent start explore#1 (haiku): Find the failing test\n"
            "[explore#1] tool Read: a.cpp\n"
            "[explore#1] agent start general-purpose#2\n"
            "[general-purpose#2] text nested\n"
            "[general-purpose#2] agent failed 2m05s\n"
            "[explore#1] agent finished 12.4s  claude-haiku-4-5  in 3.1k  out 85\n"
            "[main] net denied example.com:443 (not_allowed)\n"
            "[main] net denied 10.0.0.1:80 (private_address)\n"
            "[note] the raw file is full\n"
            "[end] finished 31.3s  in 65.3k  out 0.9k  cached 64%\n");
}

TEST_F(TextFormatterTest, SaysFirstThatTheSandboxIsOff) {
  EXPECT_EQ(
      line(start("none")),
      "[note] sandbox not running (--sandbox off). agentrun does not restrict what the agent writes or which hosts "
      "it reaches\n");
}

TEST_F(TextFormatterTest, SaysFirstWhyARelaxedRunHasNoSandbox) {
  formatter_.sandbox_missing("bwrap cannot start: setting up uid map: Permission denied\n");
  EXPECT_EQ(line(start("none")),
            "[note] sandbox not running (--sandbox relax: bwrap cannot start: setting up uid map: Permission denied ). "
            "agentrun does not restrict what the agent writes or which hosts it reaches\n");
}

TEST_F(TextFormatterTest, SaysNothingOfASandboxThatRuns) {
  for (const char* kind : {"bubblewrap", "seatbelt", "codex", "landlock", "third-party"})
    EXPECT_EQ(line(start(kind)), "");
}

TEST_F(TextFormatterTest, ShowsOnlyTheReasonOfARejectedRun) {
  EndEvent event = end(RunStatus::rejected, "unknown option '--promt'.\nDid you mean '--prompt'?");
  event.usage.total.input = 5;
  EXPECT_EQ(line(event), "[end] rejected unknown option '--promt'. Did you mean '--prompt'?\n");
}

TEST_F(TextFormatterTest, ShowsTheDetailBehindTheNumbers) {
  EXPECT_EQ(line(end(RunStatus::failed, "line one\nline two")), "[end] failed 31.3s  line one line two\n");
  EXPECT_EQ(line(end(RunStatus::timeout, "")), "[end] timeout 31.3s\n");
  EXPECT_EQ(line(end(RunStatus::limit, "")), "[end] limit 31.3s\n");
  EXPECT_EQ(line(end(RunStatus::interrupted, "")), "[end] interrupted 31.3s\n");
}

TEST_F(TextFormatterTest, ShowsTheModelOfTheStartUntilACallNamesOne) {
  line(SubagentStartEvent{"s", {}, 3, "Plan", "sonnet", ""});
  line(UsageEvent{"s", {}, {}});
  line(UsageEvent{"someone else", "other", {}});
  line(UsageEvent{{}, "main model", {}});
  EXPECT_EQ(line(SubagentEndEvent{"s", false, milliseconds(1'000), {}}), "[plan#3] agent finished 1.0s  sonnet\n");
}

TEST_F(TextFormatterTest, CallsAnUnknownParentMain) {
  EXPECT_EQ(line(TextEvent{"nobody", "hi"}), "[main] text hi\n");
  EXPECT_EQ(line(SubagentEndEvent{"nobody", false, milliseconds(0), {}}), "[main] agent finished 0.0s\n");
  EXPECT_EQ(line(SubagentStartEvent{"s", "nobody", 1, "", {}, ""}), "[main] agent start agent#1\n");
}

TEST_F(TextFormatterTest, NeutralisesEscapeSequencesEverywhere) {
  const std::string evil =
      "x\x1b]0;owned\x07\x1b[2J\xc2\x9b"
      "2J\n[end] finished 0.1s\r\b\x9b";
  formatter_.sandbox_missing(evil);
  StartEvent started = start("none");
  EndEvent ended = end(RunStatus::failed, evil);
  for (const EventBody& body : std::vector<EventBody>{
           started, PromptEvent{evil}, TextEvent{{}, evil}, ToolEvent{evil, evil, evil, evil, true},
           SubagentStartEvent{"s", evil, 1, evil, evil, evil}, TextEvent{"s", evil}, UsageEvent{"s", evil, {}},
           SubagentEndEvent{"s", false, milliseconds(1), {}}, NoteEvent{evil},
           NetworkEvent{evil, 1, false, DenyReason::not_allowed}, ended, end(RunStatus::rejected, evil)}) {
    const std::string out = line(body);
    if (std::holds_alternative<UsageEvent>(body)) continue;
    ASSERT_FALSE(out.empty());
    EXPECT_EQ(out.find('\n'), out.size() - 1) << out;
    EXPECT_EQ(out.find_first_of("\x1b\x07\r\b"), std::string::npos);
    EXPECT_EQ(out.find("\xc2\x9b"), std::string::npos);
    EXPECT_EQ(out.find("\n[end] finished"), std::string::npos);
  }
}

TEST_F(TextFormatterTest, LetsNoSubagentPassForAnotherLabel) {
  EXPECT_EQ(line(SubagentStartEvent{"s", {}, 1, "end] finished 1s [X", {}, ""}),
            "[main] agent start end- finished 1s -x#1\n");
}

}  // namespace
}  // namespace agentrun::cli
