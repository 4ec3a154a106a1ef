#include <string>

#include <gtest/gtest.h>

#include "pi/json_line.hpp"
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

TEST(RepairedJson, ReplacesLoneSurrogatesAndKeepsPairs) {
  EXPECT_EQ(repaired_json(R"("\ud83d\ude00")"), R"("\ud83d\ude00")");
  EXPECT_EQ(repaired_json(R"("\ud83d")"), R"("\ufffd")");
  EXPECT_EQ(repaired_json(R"("\uDE00x")"), R"("\ufffdx")");
  EXPECT_EQ(repaired_json(R"("\ud83d\u0041")"), R"("\ufffd\u0041")");
  EXPECT_EQ(repaired_json(R"("\ud83d\ud83d\ude00")"), R"("\ufffd\ud83d\ude00")");
  EXPECT_EQ(repaired_json(R"("\\ud83d")"), R"("\\ud83d")");
  EXPECT_EQ(repaired_json(R"("\ud8)"), R"("\ud8)");
  EXPECT_EQ(repaired_json("\"\\"), "\"\\");
}

TEST(RepairedJson, ReplacesBytesThatAreNotUtf8) { EXPECT_EQ(repaired_json("\"a\xFF\""), "\"a\xEF\xBF\xBD\""); }

TEST(RepairedJson, MarksIntegersThatDoNotFit64Bits) {
  EXPECT_EQ(repaired_json(R"([100000000000000000000,-5,"100000000000000000000",1.00000000000000000005])"),
            R"([100000000000000000000e0,-5,"100000000000000000000",1.00000000000000000005])");
}

}  // namespace
}  // namespace agentrun::pi
