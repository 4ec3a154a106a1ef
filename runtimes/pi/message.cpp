#include "message.hpp"

#include <optional>

#include "json/json_line.hpp"

namespace agentrun::pi {

namespace {

namespace dom = simdjson::dom;

std::optional<std::uint64_t> count_at(dom::element usage, std::string_view key) {
  std::uint64_t count = 0;
  if (usage[key].get(count) != simdjson::SUCCESS) return std::nullopt;
  return count;
}

}  // namespace

std::string message_text(dom::element message) {
  dom::element content;
  if (message["content"].get(content) != simdjson::SUCCESS) return {};
  std::string_view whole;
  if (content.get(whole) == simdjson::SUCCESS) return std::string(whole);

  std::string text;
  dom::array parts;
  if (content.get(parts) != simdjson::SUCCESS) return text;
  bool first = true;
  for (const dom::element part : parts) {
    if (json::text_member(part, "type") != "text") continue;
    if (!first) text.push_back('\n');
    first = false;
    text.append(json::text_member(part, "text"));
  }
  return text;
}

std::string message_model(dom::element message) {
  std::string name(json::text_member(message, "provider"));
  const std::string_view model = json::text_member(message, "model");
  if (!name.empty() && !model.empty()) name.push_back('/');
  name.append(model);
  return name;
}

TokenCounts message_usage(dom::element message) {
  dom::element usage;
  if (message["usage"].get(usage) != simdjson::SUCCESS) return {};
  TokenCounts counts;
  counts.input = count_at(usage, "input");
  counts.output = count_at(usage, "output");
  counts.cache_read = count_at(usage, "cacheRead");
  counts.cache_write = count_at(usage, "cacheWrite");
  const bool reported = counts.input.value_or(0) != 0 || counts.output.value_or(0) != 0 ||
                        counts.cache_read.value_or(0) != 0 || counts.cache_write.value_or(0) != 0;
  return reported ? counts : TokenCounts{};
}

}  // namespace agentrun::pi
