#include "message.hpp"

#include "json/json_line.hpp"

namespace agentrun::dsh {

namespace {

namespace dom = simdjson::dom;
using json::text_member;

}  // namespace

std::string message_text(dom::element message) {
  std::string text;
  dom::array parts;
  if (message["content"].get(parts) != simdjson::SUCCESS) return text;
  return json::joined_text_parts(parts);
}

std::string_view source_kind(dom::element message) {
  dom::element source;
  if (message["source"].get(source) != simdjson::SUCCESS) return {};
  return text_member(source, "kind");
}

std::string message_model(dom::element message) {
  dom::element source;
  if (message["source"].get(source) != simdjson::SUCCESS) return {};
  return std::string(text_member(source, "model"));
}

TokenCounts message_usage(dom::element data) {
  TokenCounts counts;
  dom::element usage;
  if (data["usage"].get(usage) != simdjson::SUCCESS) return counts;
  counts.input = json::count_member(usage, "inputTokens");
  counts.output = json::count_member(usage, "outputTokens");
  counts.cache_read = json::count_member(usage, "cacheReadTokens");
  counts.cache_write = json::count_member(usage, "cacheWriteTokens");
  return counts;
}

}  // namespace agentrun::dsh
