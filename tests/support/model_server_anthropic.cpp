#include "model_server_anthropic.hpp"

#include <utility>

#include "agentrun/text.hpp"

namespace agentrun::testing {

namespace {

std::string json_string(std::string_view text) {
  std::string out;
  append_json_string(out, text);
  return out;
}

class Messages {
 public:
  std::vector<std::string> pieces(std::string_view model, const ModelTurn& turn, std::size_t number) {
    const std::string id = std::to_string(number);
    event("message_start",
          R"("message":{"id":"msg_)" + id + R"(","type":"message","role":"assistant","model":)" + json_string(model) +
              R"(,"content":[],"stop_reason":null,"stop_sequence":null,"usage":)" + usage(turn.usage, 1) + "}");
    if (!turn.text.empty()) {
      block(R"({"type":"text","text":""})", R"({"type":"text_delta","text":)" + json_string(turn.text) + "}");
    }
    for (std::size_t i = 0; i < turn.calls.size(); ++i) {
      block(R"({"type":"tool_use","id":"toolu_)" + id + "_" + std::to_string(i) + R"(","name":)" +
                json_string(turn.calls[i].name) + R"(,"input":{}})",
            R"({"type":"input_json_delta","partial_json":)" + json_string(turn.calls[i].arguments) + "}");
    }
    const std::string reason = !turn.finish_reason.empty() ? turn.finish_reason
                               : turn.calls.empty()        ? "end_turn"
                                                           : "tool_use";
    event("message_delta", R"("delta":{"stop_reason":)" + json_string(reason) +
                               R"(,"stop_sequence":null},"usage":{"output_tokens":)" +
                               std::to_string(turn.usage.output) + "}");
    event("message_stop", "");
    return std::move(pieces_);
  }

 private:
  static std::string usage(const ModelUsage& usage, std::uint64_t output) {
    return R"({"input_tokens":)" + std::to_string(usage.input - usage.cached) + R"(,"cache_read_input_tokens":)" +
           std::to_string(usage.cached) + R"(,"cache_creation_input_tokens":0,"output_tokens":)" +
           std::to_string(output) + "}";
  }

  void block(const std::string& start, const std::string& delta) {
    const std::string index = R"("index":)" + std::to_string(blocks_++);
    event("content_block_start", index + R"(,"content_block":)" + start);
    event("content_block_delta", index + R"(,"delta":)" + delta);
    event("content_block_stop", index);
  }

  void event(const std::string& type, const std::string& members) {
    pieces_.push_back("event: " + type + "\ndata: {\"type\":\"" + type + '"' + (members.empty() ? "" : ",") + members +
                      "}\n\n");
  }

  std::vector<std::string> pieces_;
  std::size_t blocks_ = 0;
};

}  // namespace

bool is_anthropic_messages(const ModelRequest& request) {
  return request.method == "POST" && request.target.substr(0, request.target.find('?')).ends_with("/v1/messages");
}

std::vector<std::string> anthropic_messages(std::string_view model, const ModelTurn& turn, std::size_t number) {
  return Messages().pieces(model, turn, number);
}

}  // namespace agentrun::testing
