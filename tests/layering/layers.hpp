#pragma once
// Which room may include what: docs/architecture.md as a function.

#include <optional>
#include <string>

#include "include_line.hpp"

namespace agentrun::layering {

/// `file` is relative to the checkout ("host/run/loop.cpp"). Why the include is not allowed; nothing when it is.
/// Quoted includes that do not start with "agentrun/" are of the file's own room and judged elsewhere.
[[nodiscard]] std::optional<std::string> objection(const std::string& file, const Include& include);

}  // namespace agentrun::layering
