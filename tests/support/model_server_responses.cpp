#include "model_server_responses.hpp"

#include <utility>

#include "agentrun/text.hpp"

namespace agentrun::testing {

namespace {

std::string json_string(std::string_view text) {
  std::string out;
  append_json_string(out, text);
  return out;
}

class Responses {
 public:
  Responses(std::string_view model, std::size_t number)
      : id_(std::to_string(number)),
        head_(R"("id":"resp_)" + id_ + R"(","object":"response","model":)" + json_string(model)) {}

  std::vector<std::string> pieces(const ModelTurn& turn) {
    event("response.created", R"("response":{)" + head_ + R"(,"status":"in_progress","output":[]})");
    if (!turn.text.empty()) message(turn.text);
    for (std::size_t i = 0; i < turn.calls.size(); ++i) call(turn.calls[i], i);
    event("response.completed", R"("response":{)" + head_ + R"(,"status":"completed","output":[)" + output_ +
                                    R"(],"usage":)" + usage(turn.usage) + "}");
    return std::move(pieces_);
  }

 private:
  void message(const std::string& text) {
    const std::string begin = R"({"type":"message","role":"assistant","id":"msg_)" + id_ + R"(","content":[)";
    item(begin + "]}", begin + R"({"type":"output_text","text":)" + json_string(text) + "}]}");
  }

  void call(const ModelToolCall& call, std::size_t index) {
    const std::string number = id_ + "_" + std::to_string(index);
    const bool custom = !call.arguments.starts_with('{');
    const std::string begin = std::string(R"({"type":")") + (custom ? "custom_tool_call" : "function_call") +
                              R"(","id":"item_)" + number + R"(","call_id":"call_)" + number + R"(","name":)" +
                              json_string(call.name) + (custom ? R"(,"input":)" : R"(,"arguments":)");
    item(begin + "\"\"}", begin + json_string(call.arguments) + "}");
  }

  void item(const std::string& begun, const std::string& whole) {
    const std::string index = R"("output_index":)" + std::to_string(items_++) + R"(,"item":)";
    event("response.output_item.added", index + begun);
    event("response.output_item.done", index + whole);
    if (!output_.empty()) output_ += ',';
    output_ += whole;
  }

  static std::string usage(const ModelUsage& usage) {
    return R"({"input_tokens":)" + std::to_string(usage.input) + R"(,"input_tokens_details":{"cached_tokens":)" +
           std::to_string(usage.cached) + R"(},"output_tokens":)" + std::to_string(usage.output) +
           R"(,"output_tokens_details":{"reasoning_tokens":0},"total_tokens":)" +
           std::to_string(usage.input + usage.output) + "}";
  }

  void event(const std::string& type, const std::string& members) {
    pieces_.push_back("event: " + type + "\ndata: {\"type\":\"" + type + "\"," + members + "}\n\n");
  }

  std::string id_;
  std::string head_;
  std::string output_;
  std::size_t items_ = 0;
  std::vector<std::string> pieces_;
};

}  // namespace

bool is_responses(const ModelRequest& request) {
  const std::string_view path = std::string_view(request.target).substr(0, request.target.find('?'));
  return request.method == "POST" && path.ends_with("/v1/responses");
}

std::vector<std::string> responses(std::string_view model, const ModelTurn& turn, std::size_t number) {
  return Responses(model, number).pieces(turn);
}

}  // namespace agentrun::testing
