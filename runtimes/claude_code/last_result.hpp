#pragma once
// What claude says at the end of a run. There may be several results; the last one counts.

#include <optional>
#include <string>

#include <simdjson.h>

#include "agentrun/usage.hpp"

namespace agentrun::claude_code {

struct LastResult {
  bool is_error = false;
  bool turn_limit = false;
  std::string error;  ///< empty unless `is_error`
  std::optional<UsageTotals> usage;

  [[nodiscard]] static LastResult from(simdjson::dom::element line);
};

}  // namespace agentrun::claude_code
