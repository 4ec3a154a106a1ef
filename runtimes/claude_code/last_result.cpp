#include "last_result.hpp"

#include "json/json_line.hpp"
#include "message_usage.hpp"

namespace agentrun::claude_code {

namespace {

namespace dom = simdjson::dom;
using json::text_member;

/// Errors of the model service are the "result", others stand in "errors".
std::string error_of(dom::element line) {
  const std::string_view result = text_member(line, "result");
  if (!result.empty()) return std::string(result);
  dom::array errors;
  if (line["errors"].get(errors) == simdjson::SUCCESS) {
    for (const dom::element error : errors) {
      std::string_view text;
      if (error.get(text) == simdjson::SUCCESS && !text.empty()) return std::string(text);
    }
  }
  return std::string(text_member(line, "subtype"));
}

}  // namespace

LastResult LastResult::from(dom::element line) {
  LastResult result;
  bool is_error = false;
  result.is_error = line["is_error"].get(is_error) == simdjson::SUCCESS && is_error;
  result.turn_limit = text_member(line, "subtype") == "error_max_turns";
  if (result.is_error) result.error = error_of(line);
  dom::element models;
  if (line["modelUsage"].get(models) == simdjson::SUCCESS) {
    UsageTotals usage = model_usage(models);
    if (!usage.by_model.empty()) result.usage = std::move(usage);
  }
  return result;
}

}  // namespace agentrun::claude_code
