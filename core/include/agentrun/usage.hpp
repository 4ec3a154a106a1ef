#pragma once
// Token counts. A number that the runtime did not tell is absent, never zero.

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace agentrun {

struct TokenCounts {
  std::optional<std::uint64_t> input;  ///< without cache hits
  std::optional<std::uint64_t> output;
  std::optional<std::uint64_t> cache_read;
  std::optional<std::uint64_t> cache_write;

  /// Known numbers add up; an unknown side leaves the other.
  TokenCounts& operator+=(const TokenCounts& other);
  /// Input, cache read and cache write together; absent when one of them is.
  [[nodiscard]] std::optional<std::uint64_t> context() const;

  friend bool operator==(const TokenCounts&, const TokenCounts&) = default;
};

struct UsageTotals {
  TokenCounts total;
  std::map<std::string, TokenCounts> by_model;

  void add(const std::string& model, const TokenCounts& counts);

  friend bool operator==(const UsageTotals&, const UsageTotals&) = default;
};

}  // namespace agentrun
