#include "model_server_responses.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <simdjson.h>

namespace agentrun::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

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

TEST(OpenAiResponses, StreamTextAndCallsAsItems) {
  ModelTurn turn = ModelTurn::call("exec_command", R"({"cmd":"ls"})");
  turn.calls.push_back({"apply_patch", "*** Begin Patch\n"});
  turn.text = "I look.";
  const auto pieces = responses("gpt-x", turn, 7);
  EXPECT_THAT(types_of(pieces),
              ElementsAre("response.created", "response.output_item.added", "response.output_item.done",
                          "response.output_item.added", "response.output_item.done", "response.output_item.added",
                          "response.output_item.done", "response.completed"));
  EXPECT_THAT(pieces[2], HasSubstr(R"("text":"I look.")"));
  EXPECT_THAT(pieces[4], HasSubstr(R"("call_id":"call_7_0","name":"exec_command","arguments":"{\"cmd\":\"ls\"}")"));
  EXPECT_THAT(pieces[6], HasSubstr(R"("type":"custom_tool_call")"));
  EXPECT_THAT(pieces[6], HasSubstr(R"("input":"*** Begin Patch\n")"));
  EXPECT_THAT(pieces[7], HasSubstr(R"("input_tokens":101,"input_tokens_details":{"cached_tokens":64})"));
}

TEST(OpenAiResponses, ArePostedToOneTarget) {
  EXPECT_TRUE(is_responses({"POST", "/v1/responses", {}, {}}));
  EXPECT_TRUE(is_responses({"POST", "/v1/responses?x=1", {}, {}}));
  EXPECT_FALSE(is_responses({"GET", "/v1/responses", {}, {}}));
  EXPECT_FALSE(is_responses({"POST", "/v1/responses/compact", {}, {}}));
}

}  // namespace
}  // namespace agentrun::testing
