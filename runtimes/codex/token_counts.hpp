#pragma once

#include <simdjson.h>

#include "agentrun/usage.hpp"

namespace agentrun::codex {

/// From codex's counts, where the input includes cached tokens.
[[nodiscard]] TokenCounts token_counts(simdjson::dom::element usage);

/// `total` without what had been counted `before`; a number that is unknown before is taken as none.
[[nodiscard]] TokenCounts counted_since(const TokenCounts& total, const TokenCounts& before);

}  // namespace agentrun::codex
