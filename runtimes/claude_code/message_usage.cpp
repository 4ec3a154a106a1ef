#include "message_usage.hpp"

#include <utility>

#include "json/json_line.hpp"

namespace agentrun::claude_code {

namespace {

namespace dom = simdjson::dom;

}  // namespace

void MessageUsage::add(std::string_view parent, std::string_view id, std::string_view model, dom::element usage,
                       RecordSink& sink) {
  auto found = open_.find(parent);
  if (found == open_.end()) {
    found = open_.emplace(parent, Answer{std::string(id), {}, {}}).first;
  } else if (found->second.id != id) {
    tell(found->first, std::exchange(found->second, Answer{std::string(id), {}, {}}), sink);
  }
  Answer& answer = found->second;
  answer.model = model;
  answer.tokens.input = json::count_member(usage, "input_tokens");
  answer.tokens.output = json::count_member(usage, "output_tokens");
  answer.tokens.cache_read = json::count_member(usage, "cache_read_input_tokens");
  answer.tokens.cache_write = json::count_member(usage, "cache_creation_input_tokens");
}

void MessageUsage::end(std::string_view parent, RecordSink& sink) {
  const auto found = open_.find(parent);
  if (found == open_.end()) return;
  tell(found->first, std::move(found->second), sink);
  open_.erase(found);
}

void MessageUsage::end_all(RecordSink& sink) {
  while (!open_.empty()) end(open_.begin()->first, sink);
}

void MessageUsage::tell(const std::string& parent, Answer&& answer, RecordSink& sink) {
  sink.record(UsageRecord{parent, std::move(answer.model), answer.tokens});
}

UsageTotals model_usage(dom::element models) {
  UsageTotals totals;
  dom::object by_model;
  if (models.get(by_model) != simdjson::SUCCESS) return totals;
  for (const auto& [name, usage] : by_model) {
    totals.add(std::string(name), {json::count_member(usage, "inputTokens"), json::count_member(usage, "outputTokens"),
                                   json::count_member(usage, "cacheReadInputTokens"),
                                   json::count_member(usage, "cacheCreationInputTokens")});
  }
  return totals;
}

}  // namespace agentrun::claude_code
