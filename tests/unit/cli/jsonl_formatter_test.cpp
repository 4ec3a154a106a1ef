#include "cli/jsonl_formatter.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace agentrun::cli {
namespace {

TEST(JsonlFormatter, WritesOneLineForEachEvent) {
  const std::vector<EventBody> bodies = {
      StartEvent{},         PromptEvent{"a\nb"}, ToolEvent{},     TextEvent{{}, "\r\n\n"}, UsageEvent{},
      SubagentStartEvent{}, SubagentEndEvent{},  NoteEvent{"\n"}, NetworkEvent{},          EndEvent{}};
  JsonlFormatter formatter;
  for (const EventBody& body : bodies) {
    std::string out = "before\n";
    formatter.format(Event{{}, body}, out);
    ASSERT_TRUE(out.starts_with("before\n{\"schema\":1,")) << out;
    EXPECT_TRUE(out.ends_with("}\n"));
    EXPECT_EQ(std::count(out.begin(), out.end(), '\n'), 2);
    EXPECT_NE(out.find("\"type\":\"" + std::string(event_type(body)) + '"'), std::string::npos);
  }
}

}  // namespace
}  // namespace agentrun::cli
