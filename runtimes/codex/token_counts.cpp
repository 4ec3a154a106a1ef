#include "token_counts.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>

namespace agentrun::codex {

namespace {

using Count = std::optional<std::uint64_t>;

Count count_at(simdjson::dom::element usage, std::string_view key) {
  std::uint64_t count = 0;
  if (usage[key].get(count) != simdjson::SUCCESS) return std::nullopt;
  return count;
}

Count less(const Count& whole, const Count& part) {
  if (!whole) return std::nullopt;
  return *whole - std::min(part.value_or(0), *whole);
}

}  // namespace

TokenCounts token_counts(simdjson::dom::element usage) {
  TokenCounts counts;
  counts.cache_read = count_at(usage, "cached_input_tokens");
  counts.input = less(count_at(usage, "input_tokens"), counts.cache_read);
  counts.cache_write = count_at(usage, "cache_write_input_tokens");
  counts.output = count_at(usage, "output_tokens");
  return counts;
}

TokenCounts counted_since(const TokenCounts& total, const TokenCounts& before) {
  return {less(total.input, before.input), less(total.output, before.output), less(total.cache_read, before.cache_read),
          less(total.cache_write, before.cache_write)};
}

}  // namespace agentrun::codex
