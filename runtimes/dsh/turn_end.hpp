#pragma once
// How dsh's last turn ended, and what that means for the run.

#include <string>

#include <simdjson.h>

#include "agentrun/runtime.hpp"

namespace agentrun::dsh {

/// A turn's reason. Empty `kind`: no turn has ended.
struct TurnEnd {
  std::string kind;  ///< "completed", "max-tokens", "error", "aborted", "blocked", …
  std::string code;  ///< of an error; may be empty
  std::string message;
};

[[nodiscard]] TurnEnd read_turn_end(simdjson::dom::element reason);

/// Without an end dsh was stopped: it exits with 0 then, too.
[[nodiscard]] Verdict verdict_of(const TurnEnd& end, const ExitFacts& exit);

}  // namespace agentrun::dsh
