#include "model_server_anthropic.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <simdjson.h>

namespace agentrun::testing {
namespace {

using ::testing::ElementsAre;

std::vector<std::string> types_of(const std::vector<std::string>& pieces) {
  std::vector<std::string> types;
  for (const std::string& piece : pieces) {
    const std::size_t data = piece.find("\ndata: ");
    simdjson::dom::parser parser;
    const std::string_view type = parser.parse(piece.substr(data + 7))["type"];
    EXPECT_EQ(piece.substr(0, data), "event: " + std::string(type));
    EXPECT_TRUE(piece.ends_with("\n\n"));
    types.emplace_back(type);
  }
  return types;
}

TEST(AnthropicMessages, StreamTextAndCallsAsBlocks) {
  ModelTurn turn = ModelTurn::call("Bash", R"({"command":"ls"})");
  turn.text = "I look.";
  const auto pieces = anthropic_messages("claude-x", turn, 7);
  EXPECT_THAT(types_of(pieces), ElementsAre("message_start", "content_block_start", "content_block_delta",
                                            "content_block_stop", "content_block_start", "content_block_delta",
                                            "content_block_stop", "message_delta", "message_stop"));
  EXPECT_THAT(pieces[0], ::testing::HasSubstr(R"("input_tokens":37,"cache_read_input_tokens":64)"));
  EXPECT_THAT(pieces[4], ::testing::HasSubstr(R"("id":"toolu_7_0","name":"Bash","input":{})"));
  EXPECT_THAT(pieces[5], ::testing::HasSubstr(R"("partial_json":"{\"command\":\"ls\"}")"));
  EXPECT_THAT(pieces[7], ::testing::HasSubstr(R"("stop_reason":"tool_use")"));
}

TEST(AnthropicMessages, EndATurnWithoutCalls) {
  const auto pieces = anthropic_messages("claude-x", ModelTurn::say("x"), 1);
  EXPECT_THAT(pieces[4], ::testing::HasSubstr(R"("stop_reason":"end_turn")"));
}

TEST(AnthropicMessages, AreToldByTheirTarget) {
  EXPECT_TRUE(is_anthropic_messages({"POST", "/v1/messages?beta=true", {}, {}}));
  EXPECT_TRUE(is_anthropic_messages({"POST", "/v1/messages", {}, {}}));
  EXPECT_FALSE(is_anthropic_messages({"POST", "/v1/messages/count_tokens", {}, {}}));
  EXPECT_FALSE(is_anthropic_messages({"GET", "/v1/messages", {}, {}}));
}

}  // namespace
}  // namespace agentrun::testing
