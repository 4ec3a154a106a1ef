#include "model_server_wire.hpp"

#include <simdjson.h>

#include "agentrun/text.hpp"
#include "model_server_anthropic.hpp"
#include "model_server_responses.hpp"

namespace agentrun::testing {

namespace {

std::string json_string(std::string_view text) {
  std::string out;
  append_json_string(out, text);
  return out;
}

std::string asked_model(const ModelRequest& request) {
  simdjson::dom::parser parser;
  std::string_view model;
  if (parser.parse(request.body)["model"].get(model) != simdjson::SUCCESS) return "unknown";
  return std::string(model);
}

/// `text` in two halves, as a stream would bring it; a character stays whole.
std::vector<std::string_view> halves(std::string_view text) {
  std::size_t middle = text.size() / 2;
  while (middle < text.size() && (static_cast<unsigned char>(text[middle]) & 0xC0U) == 0x80U) ++middle;
  if (middle == 0 || middle == text.size()) return {text};
  return {text.substr(0, middle), text.substr(middle)};
}

/// https://platform.openai.com/docs/api-reference/chat-streaming
class ChatCompletions {
 public:
  ChatCompletions(std::string model, std::size_t number) : model_(std::move(model)), number_(number) {}

  std::vector<std::string> pieces(const ModelTurn& turn) {
    delta(R"({"role":"assistant","content":""})");
    if (!turn.text.empty()) {
      for (const std::string_view part : halves(turn.text)) delta(R"({"content":)" + json_string(part) + "}");
    }
    for (std::size_t i = 0; i < turn.calls.size(); ++i) call(turn.calls[i], i);
    const std::string reason = !turn.finish_reason.empty() ? turn.finish_reason
                               : turn.calls.empty()        ? "stop"
                                                           : "tool_calls";
    chunk(R"([{"index":0,"delta":{},"finish_reason":)" + json_string(reason) + "}]", "null");
    chunk("[]", R"({"prompt_tokens":)" + std::to_string(turn.usage.input) + R"(,"completion_tokens":)" +
                    std::to_string(turn.usage.output) + R"(,"total_tokens":)" +
                    std::to_string(turn.usage.input + turn.usage.output) +
                    R"(,"prompt_tokens_details":{"cached_tokens":)" + std::to_string(turn.usage.cached) + "}}");
    pieces_.emplace_back("data: [DONE]\n\n");
    return std::move(pieces_);
  }

 private:
  void call(const ModelToolCall& call, std::size_t index) {
    const std::string at = R"({"tool_calls":[{"index":)" + std::to_string(index);
    delta(at + R"(,"id":"call_)" + std::to_string(number_) + "_" + std::to_string(index) +
          R"(","type":"function","function":{"name":)" + json_string(call.name) + R"(,"arguments":""}}]})");
    for (const std::string_view part : halves(call.arguments)) {
      delta(at + R"(,"function":{"arguments":)" + json_string(part) + "}}]}");
    }
  }

  void delta(const std::string& object) {
    chunk(R"([{"index":0,"delta":)" + object + R"(,"finish_reason":null}])", "null");
  }

  void chunk(const std::string& choices, const std::string& usage) {
    pieces_.push_back(R"(data: {"id":"chatcmpl-)" + std::to_string(number_) +
                      R"(","object":"chat.completion.chunk","created":0,"model":)" + json_string(model_) +
                      R"(,"choices":)" + choices + R"(,"usage":)" + usage + "}\n\n");
  }

  std::string model_;
  std::size_t number_;
  std::vector<std::string> pieces_;
};

}  // namespace

std::string error_body(const ModelTurn& turn) {
  return R"({"error":{"message":)" + json_string(turn.text) + R"(,"type":"scripted_error","code":null}})";
}

std::vector<std::string> stream_pieces(const ModelRequest& request, const ModelTurn& turn, std::size_t number) {
  if (request.target.ends_with("/chat/completions")) return ChatCompletions(asked_model(request), number).pieces(turn);
  if (is_responses(request)) return responses(asked_model(request), turn, number);
  if (is_anthropic_messages(request)) return anthropic_messages(asked_model(request), turn, number);
  return {};
}

}  // namespace agentrun::testing
