#include "agentrun/usage.hpp"

#include <limits>

namespace agentrun {
namespace {

using Count = std::optional<std::uint64_t>;

/// Stays at the largest number: what a runtime prints is not trusted to be sane.
std::uint64_t sum(std::uint64_t a, std::uint64_t b) {
  const std::uint64_t room = std::numeric_limits<std::uint64_t>::max() - a;
  return a + (b < room ? b : room);
}

void add(Count& to, const Count& more) {
  if (more) to = sum(to.value_or(0), *more);
}

}  // namespace

TokenCounts& TokenCounts::operator+=(const TokenCounts& other) {
  agentrun::add(input, other.input);
  agentrun::add(output, other.output);
  agentrun::add(cache_read, other.cache_read);
  agentrun::add(cache_write, other.cache_write);
  return *this;
}

std::optional<std::uint64_t> TokenCounts::context() const {
  if (!input || !cache_read || !cache_write) return std::nullopt;
  return sum(sum(*input, *cache_read), *cache_write);
}

void UsageTotals::add(const std::string& model, const TokenCounts& counts) {
  if (counts == TokenCounts{}) return;
  total += counts;
  by_model[model.empty() ? "unknown" : model] += counts;
}

}  // namespace agentrun
