#include "agentrun/aggregator.hpp"
#include "repeated.hpp"

namespace agentrun {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Clock = Aggregator::Clock;
using std::chrono::milliseconds;

/// One event as a short line, so that a whole stream can be compared at a glance.
struct Brief {
  std::string operator()(const StartEvent&) const { return "start"; }
  std::string operator()(const PromptEvent& e) const { return "prompt " + e.text; }
  std::string operator()(const ToolEvent& e) const {
    return "tool " + e.id + parent(e.parent) + ' ' + e.name + ": " + e.summary + (e.denied ? " denied" : "");
  }
  std::string operator()(const TextEvent& e) const { return "text" + parent(e.parent) + ' ' + e.text; }
  std::string operator()(const UsageEvent& e) const {
    return "usage" + parent(e.parent) + ' ' + e.model.value_or("null") + ' ' +
           std::to_string(e.tokens.input.value_or(0));
  }
  std::string operator()(const SubagentStartEvent& e) const {
    return "subagent " + e.id + parent(e.parent) + " #" + std::to_string(e.number) + ' ' + e.kind + '(' +
           e.model.value_or("null") + "): " + e.description;
  }
  std::string operator()(const SubagentEndEvent& e) const {
    return "end " + e.id + (e.failed ? " failed " : " finished ") + std::to_string(e.duration.count()) + "ms in " +
           std::to_string(e.usage.total.input.value_or(0));
  }
  std::string operator()(const NoteEvent& e) const { return "note " + e.text; }
  std::string operator()(const NetworkEvent&) const { return "network"; }
  std::string operator()(const EndEvent&) const { return "end of run"; }

  static std::string parent(const std::optional<std::string>& id) { return id ? " in " + *id : ""; }
};

class AggregatorTest : public ::testing::Test {
 protected:
  void add(Record record) { aggregator_.add(std::move(record), now_, events_); }

  std::vector<std::string> take() {
    std::vector<std::string> brief;
    for (const EventBody& event : events_) brief.push_back(std::visit(Brief{}, event));
    events_.clear();
    return brief;
  }

  std::vector<std::string> close() {
    aggregator_.close(now_, events_);
    return take();
  }

  Aggregator aggregator_;
  Clock::time_point now_{};
  std::vector<EventBody> events_;
};

TEST_F(AggregatorTest, TellsThePromptOnce) {
  EXPECT_FALSE(aggregator_.prompt_seen());
  add(PromptRecord{"do it"});
  EXPECT_TRUE(aggregator_.prompt_seen());
  add(PromptRecord{"a subagent's report"});
  EXPECT_THAT(take(), ElementsAre("prompt do it"));
}

TEST_F(AggregatorTest, TellsACallWhenItEnds) {
  add(ToolStartRecord{"1", "", "Bash", "make"});
  EXPECT_THAT(take(), IsEmpty());
  add(ToolEndRecord{"1", false});
  EXPECT_THAT(take(), ElementsAre("tool 1 Bash: make"));
  EXPECT_THAT(close(), IsEmpty());
}

TEST_F(AggregatorTest, TellsParallelCallsInTheOrderOfTheirEnds) {
  for (const std::string id : {"1", "2", "3"}) add(ToolStartRecord{id, "", "Read", "f" + id});
  add(ToolEndRecord{"3", false});
  add(ToolEndRecord{"1", true});
  add(ToolEndRecord{"2", false});
  EXPECT_THAT(take(), ElementsAre("tool 3 Read: f3", "tool 1 Read: f1 denied", "tool 2 Read: f2"));
}

TEST_F(AggregatorTest, RemembersThatACallWasDenied) {
  add(ToolStartRecord{"1", "", "Write", "f"});
  add(ToolDeniedRecord{"1"});
  EXPECT_THAT(take(), IsEmpty());
  add(ToolEndRecord{"1", false});
  EXPECT_THAT(take(), ElementsAre("tool 1 Write: f denied"));
}

TEST_F(AggregatorTest, IgnoresEndsAndDenialsOfUnknownCalls) {
  add(ToolEndRecord{"1", true});
  add(ToolDeniedRecord{"1"});
  add(SubagentEndRecord{"1", false});
  EXPECT_THAT(take(), IsEmpty());
  EXPECT_THAT(close(), IsEmpty());
}

TEST_F(AggregatorTest, TellsARepeatedCallOnce) {
  add(ToolStartRecord{"1", "", "Bash", "mak"});
  add(ToolStartRecord{"1", "", "Bash", "make"});
  add(ToolEndRecord{"1", false});
  add(ToolEndRecord{"1", false});
  EXPECT_THAT(take(), ElementsAre("tool 1 Bash: make"));
}

TEST_F(AggregatorTest, KeepsSummariesToOneShortLine) {
  add(ToolStartRecord{"1", "", "Bash", "a\nb" + testing::repeated(200, 'x')});
  add(ToolEndRecord{"1", false});
  EXPECT_THAT(take(), ElementsAre("tool 1 Bash: a b" + testing::repeated(116, 'x') + "…"));
}

TEST_F(AggregatorTest, TellsOpenCallsAtTheEndInTheOrderOfTheirStarts) {
  for (const std::string id : {"z", "a", "m"}) add(ToolStartRecord{id, "", "Bash", ""});
  add(ToolDeniedRecord{"a"});
  EXPECT_THAT(close(), ElementsAre("tool z Bash: ", "tool a Bash:  denied", "tool m Bash: "));
  EXPECT_THAT(close(), IsEmpty());
}

TEST_F(AggregatorTest, NumbersSubagentsAndMeasuresThem) {
  add(SubagentStartRecord{"a", "", "Explore", "haiku", "look"});
  now_ += milliseconds(1500);
  add(SubagentStartRecord{"b", "", "general", "", "do"});
  now_ += milliseconds(500);
  add(SubagentEndRecord{"a", false});
  add(SubagentEndRecord{"b", true});
  EXPECT_THAT(take(), ElementsAre("subagent a #1 Explore(haiku): look", "subagent b #2 general(null): do",
                                  "end a finished 2000ms in 0", "end b failed 500ms in 0"));
}

TEST_F(AggregatorTest, DoesNotTellTheCallThatStartsASubagent) {
  add(ToolStartRecord{"a", "", "Task", "look"});
  add(SubagentStartRecord{"a", "", "Explore", "", "look"});
  add(ToolStartRecord{"a", "", "Task", "look"});
  add(ToolEndRecord{"a", false});
  add(SubagentEndRecord{"a", false});
  EXPECT_THAT(take(), ElementsAre("subagent a #1 Explore(null): look", "end a finished 0ms in 0"));
  EXPECT_THAT(close(), IsEmpty());
}

TEST_F(AggregatorTest, StartsASubagentOnce) {
  add(SubagentStartRecord{"a", "", "Explore", "", "look"});
  add(SubagentStartRecord{"a", "", "Explore", "", "look"});
  EXPECT_EQ(take().size(), 1U);
}

TEST_F(AggregatorTest, NamesTheParentOfWhatASubagentDoes) {
  add(SubagentStartRecord{"a", "", "k", "", ""});
  add(ToolStartRecord{"1", "a", "Bash", "ls"});
  add(TextRecord{"a", "hello"});
  add(UsageRecord{"a", "m", {7, {}, {}, {}}});
  add(ToolEndRecord{"1", false});
  EXPECT_THAT(take(),
              ElementsAre("subagent a #1 k(null): ", "text in a hello", "usage in a m 7", "tool 1 in a Bash: ls"));
}

TEST_F(AggregatorTest, NestsSubagents) {
  add(SubagentStartRecord{"a", "", "k", "", ""});
  add(SubagentStartRecord{"b", "a", "k", "", ""});
  add(UsageRecord{"b", "m", {5, {}, {}, {}}});
  add(UsageRecord{"a", "m", {1, {}, {}, {}}});
  add(SubagentEndRecord{"b", false});
  add(SubagentEndRecord{"a", false});
  EXPECT_THAT(take(), ElementsAre("subagent a #1 k(null): ", "subagent b in a #2 k(null): ", "usage in b m 5",
                                  "usage in a m 1", "end b finished 0ms in 5", "end a finished 0ms in 1"));
}

TEST_F(AggregatorTest, TakesAnUnknownParentForNone) {
  add(TextRecord{"nobody", "x"});
  add(SubagentStartRecord{"a", "a", "k", "", ""});
  add(UsageRecord{"nobody", "", {1, {}, {}, {}}});
  add(ToolStartRecord{"1", "nobody", "Bash", ""});
  add(ToolEndRecord{"1", false});
  EXPECT_THAT(take(), ElementsAre("text x", "subagent a #1 k(null): ", "usage null 1", "tool 1 Bash: "));
}

TEST_F(AggregatorTest, EndsOpenSubagentsAsFailedInnerFirst) {
  add(SubagentStartRecord{"z", "", "k", "", ""});
  add(SubagentStartRecord{"a", "z", "k", "", ""});
  add(ToolStartRecord{"1", "a", "Bash", "ls"});
  take();
  now_ += milliseconds(10);
  EXPECT_THAT(close(), ElementsAre("tool 1 in a Bash: ls", "end a failed 10ms in 0", "end z failed 10ms in 0"));
}

TEST_F(AggregatorTest, KeepsTheLastTextOfTheMainAgentAsResult) {
  EXPECT_EQ(aggregator_.totals().result, std::nullopt);
  add(TextRecord{"", "first"});
  add(TextRecord{"", "last"});
  add(SubagentStartRecord{"a", "", "k", "", ""});
  add(TextRecord{"a", "of a subagent"});
  add(TextRecord{"nobody", "of nobody known"});
  EXPECT_EQ(aggregator_.totals().result, "last");
}

TEST_F(AggregatorTest, SumsUsageOfEverybody) {
  add(SubagentStartRecord{"a", "", "k", "", ""});
  add(UsageRecord{"", "m", {1, {}, 3, {}}});
  add(UsageRecord{"a", "m", {10, 20, {}, {}}});
  add(UsageRecord{"a", "", {100, {}, {}, 400}});
  const UsageTotals usage = aggregator_.totals().usage;
  EXPECT_EQ(usage.total, (TokenCounts{111, 20, 3, 400}));
  EXPECT_EQ(usage.by_model.at("m"), (TokenCounts{11, 20, 3, std::nullopt}));
  EXPECT_EQ(usage.by_model.at("unknown"), (TokenCounts{100, std::nullopt, std::nullopt, 400}));
  EXPECT_EQ(usage.by_model.size(), 2U);
}

TEST_F(AggregatorTest, KnowsNoUsageBeforeTheFirst) { EXPECT_EQ(aggregator_.totals().usage, UsageTotals()); }

TEST_F(AggregatorTest, PassesNotesOn) {
  add(NoteRecord{"full"});
  EXPECT_THAT(take(), ElementsAre("note full"));
}

}  // namespace
}  // namespace agentrun
