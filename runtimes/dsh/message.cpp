#include "message.hpp"

#include <optional>

#include "json/json_line.hpp"

namespace agentrun::dsh {

namespace {

namespace dom = simdjson::dom;
using json::text_member;

std::optional<std::uint64_t> count_at(dom::element usage, std::string_view key) {
  std::uint64_t count = 0;
  if (usage[key].get(count) != simdjson::SUCCESS) return std::nullopt;
  return count;
}

}  // namespace

std::string message_text(dom::element message) {
  std::string text;
  dom::array parts;
  if (message["content"].get(parts) != simdjson::SUCCESS) return text;
  bool first = true;
  for (const dom::element part : parts) {
    if (text_member(part, "type") != "text") continue;
    if (!first) text.push_back('\n');
    first = false;
    text.append(text_member(part, "text"));
  }
  return text;
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
  counts.input = count_at(usage, "inputTokens");
  counts.output = count_at(usage, "outputTokens");
  counts.cache_read = count_at(usage, "cacheReadTokens");
  counts.cache_write = count_at(usage, "cacheWriteTokens");
  return counts;
}

}  // namespace agentrun::dsh
