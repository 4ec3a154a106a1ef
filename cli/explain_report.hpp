#pragma once
// What `agentrun explain` prints.

#include <string>

#include "agentrun/explain.hpp"

namespace agentrun::cli {

/// "allowed: RULE" or "denied: RULE", one line.
[[nodiscard]] std::string explanation_text(const Explanation& explanation);

/// {"allowed":BOOL,"rule":TEXT}, one line.
[[nodiscard]] std::string explanation_json(const Explanation& explanation);

}  // namespace agentrun::cli
