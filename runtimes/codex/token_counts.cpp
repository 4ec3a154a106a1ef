#include "token_counts.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>

#include "json/json_line.hpp"

namespace agentrun::codex {

namespace {

using Count = std::optional<std::uint64_t>;

Count less(const Count& whole, const Count& part) {
  if (!whole) return std::nullopt;
  return *whole - std::min(part.value_or(0), *whole);
}

}  // namespace

TokenCounts token_counts(simdjson::dom::element usage) {
  TokenCounts counts;
  counts.cache_read = json::count_member(usage, "cached_input_tokens");
  counts.input = less(json::count_member(usage, "input_tokens"), counts.cache_read);
  counts.cache_write = json::count_member(usage, "cache_write_input_tokens");
  counts.output = json::count_member(usage, "output_tokens");
  return counts;
}

TokenCounts counted_since(const TokenCounts& total, const TokenCounts& before) {
  return {less(total.input, before.input), less(total.output, before.output), less(total.cache_read, before.cache_read),
          less(total.cache_write, before.cache_write)};
}

}  // namespace agentrun::codex
