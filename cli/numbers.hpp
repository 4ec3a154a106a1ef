#pragma once
// Durations and token counts as people read them.

#include <chrono>
#include <cstdint>
#include <string>

#include "agentrun/usage.hpp"

namespace agentrun::cli {

/// "31.3s", from one minute "2m05s", from one hour "1h02m".
[[nodiscard]] std::string short_duration(std::chrono::milliseconds duration);

/// "99", from 100 "0.1k", from a million "1.2M".
[[nodiscard]] std::string short_count(std::uint64_t count);

/// "  in 65.3k  out 0.9k": input with what was read from and written to the cache. Unknown parts are left out.
[[nodiscard]] std::string token_parts(const TokenCounts& tokens);

/// "  cached 64%": the share of the input that came from the cache; empty when it cannot be told.
[[nodiscard]] std::string cached_part(const TokenCounts& tokens);

}  // namespace agentrun::cli
