#include "cli/numbers.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace agentrun::cli {

namespace {

/// `tenths` as "31.3".
std::string with_one_decimal(std::uint64_t tenths) {
  return std::to_string(tenths / 10) + '.' + std::to_string(tenths % 10);
}

std::string two_digits(std::int64_t number) {
  std::string text = std::to_string(number);
  return text.size() < 2 ? '0' + text : text;
}

std::uint64_t rounded_div(std::uint64_t number, std::uint64_t divisor) {
  return number / divisor + (number % divisor >= divisor / 2 ? 1 : 0);
}

/// All known parts of the input together; counts come from the runtime's output and may be absurd.
std::optional<std::uint64_t> known_input(const TokenCounts& tokens) {
  std::optional<std::uint64_t> sum;
  for (const auto& part : {tokens.input, tokens.cache_read, tokens.cache_write}) {
    if (!part) continue;
    const std::uint64_t room = std::numeric_limits<std::uint64_t>::max() - sum.value_or(0);
    sum = sum.value_or(0) + std::min(*part, room);
  }
  return sum;
}

}  // namespace

std::string short_duration(std::chrono::milliseconds duration) {
  constexpr std::uint64_t minute_in_tenths = 600;
  const std::int64_t milliseconds = std::max<std::int64_t>(duration.count(), 0);
  // Rounded first, so that 59.96 s is a minute and not "60.0s".
  const std::uint64_t tenths = rounded_div(static_cast<std::uint64_t>(milliseconds), 100);
  if (tenths < minute_in_tenths) return with_one_decimal(tenths) + 's';
  const std::int64_t seconds = std::max<std::int64_t>(milliseconds / 1000, 60);
  if (seconds < 3600) return std::to_string(seconds / 60) + 'm' + two_digits(seconds % 60) + 's';
  return std::to_string(seconds / 3600) + 'h' + two_digits(seconds / 60 % 60) + 'm';
}

std::string short_count(std::uint64_t count) {
  if (count < 100) return std::to_string(count);
  const std::uint64_t tenths_of_thousands = rounded_div(count, 100);
  if (tenths_of_thousands < 10'000) return with_one_decimal(tenths_of_thousands) + 'k';
  return with_one_decimal(rounded_div(count, 100'000)) + 'M';
}

std::string token_parts(const TokenCounts& tokens) {
  std::string parts;
  if (const auto input = known_input(tokens)) parts += "  in " + short_count(*input);
  if (tokens.output) parts += "  out " + short_count(*tokens.output);
  return parts;
}

std::string cached_part(const TokenCounts& tokens) {
  const auto input = known_input(tokens);
  if (!tokens.cache_read || input.value_or(0) == 0) return {};
  const double share = static_cast<double>(*tokens.cache_read) / static_cast<double>(*input);
  return "  cached " + std::to_string(std::lround(share * 100)) + '%';
}

}  // namespace agentrun::cli
