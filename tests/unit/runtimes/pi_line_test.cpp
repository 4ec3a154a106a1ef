#include <string>

#include <gtest/gtest.h>

#include "pi/line_kind.hpp"

namespace agentrun::pi {
namespace {

TEST(PiLineKind, IsToldFromTheFirstBytes) {
  EXPECT_EQ(line_kind(R"({"type":"message_update","usage":{)"), LineKind::other);
  EXPECT_EQ(line_kind(R"({"type":"session","version":3)"), LineKind::other);
  EXPECT_EQ(line_kind(R"({"type":"tool_execution_start","toolCallId")"), LineKind::tool_begins);
  EXPECT_EQ(line_kind(R"({"type":"tool_execution_end","toolCallId")"), LineKind::tool_ends);
  EXPECT_EQ(line_kind(R"({"type":"tool_execution_update","toolCallId")"), LineKind::other);
  EXPECT_EQ(line_kind(R"({"type":"agent_settled","aborted":false})"), LineKind::settled);
}

TEST(PiLineKind, LeavesOutMessagesThatGiveNothing) {
  const std::string start = R"({"type":"message_start","message":{"role":")";
  const std::string end = R"({"type":"message_end","message":{"role":")";
  EXPECT_EQ(line_kind(start + "assistant\""), LineKind::assistant_begins);
  EXPECT_EQ(line_kind(end + "assistant\""), LineKind::message_ends);
  EXPECT_EQ(line_kind(end + "user\""), LineKind::message_ends);
  EXPECT_EQ(line_kind(start + "user\""), LineKind::other);
  EXPECT_EQ(line_kind(start + "toolResult\""), LineKind::other);
  EXPECT_EQ(line_kind(end + "toolResult\""), LineKind::other);
  EXPECT_EQ(line_kind(end + "system\""), LineKind::other);
  EXPECT_EQ(line_kind(end + "users\""), LineKind::other);
}

TEST(PiLineKind, LeavesAnotherOrderOrSpellingToTheParser) {
  EXPECT_EQ(line_kind(R"({ "type":"message_end"})"), LineKind::unclear);
  EXPECT_EQ(line_kind(R"({"message":{},"type":"message_end"})"), LineKind::unclear);
  EXPECT_EQ(line_kind(R"({"type":"message_\u0065nd"})"), LineKind::unclear);
  EXPECT_EQ(line_kind(R"({"type":"message_end","id":1,"message":{"role":"user"}})"), LineKind::unclear);
}

TEST(PiLineKind, NeverReadsBehindAShortLine) {
  const std::string whole = R"({"type":"message_end","message":{"role":"user")";
  for (std::size_t length = 0; length <= whole.size(); ++length) {
    const std::string exact = whole.substr(0, length);
    const LineKind kind = line_kind(exact);
    EXPECT_EQ(kind == LineKind::message_ends, length == whole.size()) << exact;
  }
}

}  // namespace
}  // namespace agentrun::pi
