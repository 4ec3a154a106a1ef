#include "message.hpp"

#include "json/json_line.hpp"

namespace agentrun::pi {

namespace {

namespace dom = simdjson::dom;

}  // namespace

std::string message_text(dom::element message) {
  dom::element content;
  if (message["content"].get(content) != simdjson::SUCCESS) return {};
  std::string_view whole;
  if (content.get(whole) == simdjson::SUCCESS) return std::string(whole);

  std::string text;
  dom::array parts;
  if (content.get(parts) != simdjson::SUCCESS) return text;
  return json::joined_text_parts(parts);
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
  counts.input = json::count_member(usage, "input");
  counts.output = json::count_member(usage, "output");
  counts.cache_read = json::count_member(usage, "cacheRead");
  counts.cache_write = json::count_member(usage, "cacheWrite");
  const bool reported = counts.input.value_or(0) != 0 || counts.output.value_or(0) != 0 ||
                        counts.cache_read.value_or(0) != 0 || counts.cache_write.value_or(0) != 0;
  return reported ? counts : TokenCounts{};
}

}  // namespace agentrun::pi
