#pragma once
// "Did you mean …?" for words that are not known.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace agentrun::cli {

/// The known word that `word` was probably meant to be: the nearest by insertions, deletions, replacements and swaps
/// of neighbours, at most one for every three letters; or one that begins with `word`. Nothing when none is near.
[[nodiscard]] std::optional<std::string> suggestion(std::string_view word, const std::vector<std::string>& known);

}  // namespace agentrun::cli
