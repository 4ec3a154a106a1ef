#include "claude_code/line_kind.hpp"

#include <gtest/gtest.h>

namespace agentrun::claude_code {
namespace {

TEST(ClaudeLineKind, IsToldByTheFirstKeys) {
  EXPECT_EQ(line_kind(R"({"type":"user","message":{}})"), LineKind::user);
  EXPECT_EQ(line_kind(R"({"type":"assistant","message":{}})"), LineKind::assistant);
  EXPECT_EQ(line_kind(R"({"type":"result","subtype":"success"})"), LineKind::result);
  EXPECT_EQ(line_kind(R"({"type":"system","subtype":"init","cwd":"/w"})"), LineKind::init);
  EXPECT_EQ(line_kind(R"({"type":"system","subtype":"permission_denied"})"), LineKind::permission_denied);
  EXPECT_EQ(line_kind(R"({"type":"system","subtype":"task_notification"})"), LineKind::task_notification);
}

TEST(ClaudeLineKind, IsOtherForWhatGivesNoRecord) {
  for (const char* line :
       {R"({"type":"stream_event","event":{"type":"assistant"}})", R"({"type":"system","subtype":"thinking_tokens"})",
        R"({"type":"system","subtype":"task_progress"})", R"({"type":"system","subtype":"api_retry"})",
        R"({"type":"rate_limit_event"})", R"({"type":"users"})", R"({"type":"system","subtype":"initial"})"}) {
    EXPECT_EQ(line_kind(line), LineKind::other) << line;
  }
}

TEST(ClaudeLineKind, IsUnclearWhereTheFirstKeysDoNotTell) {
  for (const char* line :
       {"", "{}", R"({ "type":"user"})", R"({"subtype":"success","type":"result"})", R"({"type":"syst\u0065m"})",
        R"({"type":"user)", R"({"type":"system","session_id":"s","subtype":"init"})",
        R"({"type":"system","subtype":"in\u0069t"})", R"({"type":7})", R"({"type":"system"})"}) {
    EXPECT_EQ(line_kind(line), LineKind::unclear) << line;
  }
}

TEST(ClaudeLineKind, LooksNoFurtherThanTheLine) {
  constexpr std::string_view memory = R"({"type":"user"})";
  for (std::size_t length = 0; length < 14; ++length) {
    EXPECT_EQ(line_kind(memory.substr(0, length)), LineKind::unclear) << length;
  }
}

}  // namespace
}  // namespace agentrun::claude_code
