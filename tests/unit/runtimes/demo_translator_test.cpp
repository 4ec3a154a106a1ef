#include "demo/translator.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "agentrun/aggregator.hpp"
#include "demo/runtime.hpp"
#include "planning.hpp"
#include "translation.hpp"

namespace agentrun::demo {
namespace {

using testing::exited;
using testing::feed;
using testing::Records;

/// The summaries of the tool events that the records give.
std::vector<std::string> summaries(const Records& records) {
  Aggregator aggregator;
  std::vector<EventBody> events;
  for (Record record : records.all()) aggregator.add(std::move(record), {}, events);
  aggregator.close({}, events);
  std::vector<std::string> found;
  for (const EventBody& event : events) {
    if (const auto* tool = std::get_if<ToolEvent>(&event)) found.push_back(tool->name + " " + tool->summary);
  }
  return found;
}

TEST(DemoTranslator, TellsHowAStepWent) {
  Records records;
  DemoTranslator translator;
  feed(translator, R"({"type":"call","id":"1","tool":"write","about":"/outside"})", records);
  feed(translator, R"({"type":"result","id":"1","ok":false,"detail":"Read-only file system"})", records);
  EXPECT_THAT(summaries(records), ::testing::ElementsAre("write /outside: Read-only file system"));
}

TEST(DemoTranslator, KeepsTheReasonBehindALongPath) {
  Records records;
  DemoTranslator translator;
  feed(translator, R"({"type":"call","id":"1","tool":"read","about":")" + std::string(300, 'p') + "\"}", records);
  feed(translator, R"({"type":"result","id":"1","ok":false,"detail":"Permission denied"})", records);
  EXPECT_THAT(summaries(records), ::testing::ElementsAre(::testing::EndsWith("p…: Permission denied")));
}

TEST(DemoTranslator, ShowsAStepThatNeverEnded) {
  Records records;
  DemoTranslator translator;
  feed(translator, R"({"type":"call","id":"1","tool":"sleep","about":"9"})", records);
  EXPECT_EQ(translator.finish(testing::killed_by(15), records).status, Verdict::Status::failed);
  EXPECT_THAT(summaries(records), ::testing::ElementsAre("sleep 9"));
}

TEST(DemoTranslator, IgnoresJunkAndAResultWithoutItsCall) {
  Records records;
  DemoTranslator translator;
  for (const char* line :
       {"", "x", "[]", "{}", R"({"type":1})", R"({"type":"result","id":"1"})", R"({"type":"call")"}) {
    feed(translator, line, records);
  }
  EXPECT_TRUE(records.all().empty());
}

TEST(DemoTranslator, FailsWithTheAgent) {
  Records records;
  DemoTranslator translator;
  EXPECT_EQ(translator.finish(exited(0), records).status, Verdict::Status::finished);
  EXPECT_EQ(translator.finish(exited(3), records).status, Verdict::Status::failed);
}

TEST(DemoRuntime, StartsTheAgentBesideThePluginsDirectory) {
  testing::Planning planning;
  const auto launch = DemoRuntime().plan(planning.launch());
  ASSERT_TRUE(launch.has_value());
  EXPECT_EQ(launch->executable, planning.root / "lib/agentrun-demo-agent");
  EXPECT_EQ(launch->standard_input, planning.prompt);
  EXPECT_FALSE(launch->prompt_argument.has_value());
}

}  // namespace
}  // namespace agentrun::demo
