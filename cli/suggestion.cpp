#include "cli/suggestion.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace agentrun::cli {

namespace {

/// Optimal string alignment distance. Three rows: swaps look two rows back.
std::size_t distance(std::string_view left, std::string_view right) {
  std::vector<std::size_t> before(right.size() + 1);
  std::vector<std::size_t> above(right.size() + 1);
  std::vector<std::size_t> row(right.size() + 1);
  std::iota(above.begin(), above.end(), std::size_t{0});
  for (std::size_t l = 1; l <= left.size(); ++l) {
    row[0] = l;
    for (std::size_t r = 1; r <= right.size(); ++r) {
      const std::size_t change = left[l - 1] == right[r - 1] ? 0 : 1;
      row[r] = std::min({above[r] + 1, row[r - 1] + 1, above[r - 1] + change});
      const bool swapped = l > 1 && r > 1 && left[l - 1] == right[r - 2] && left[l - 2] == right[r - 1];
      if (swapped) row[r] = std::min(row[r], before[r - 2] + 1);
    }
    before.swap(above);
    above.swap(row);
  }
  return above[right.size()];
}

constexpr std::size_t longest_word = 64;  // the distance costs the product of both lengths

}  // namespace

std::optional<std::string> suggestion(std::string_view word, const std::vector<std::string>& known) {
  if (word.find_first_not_of('-') == std::string_view::npos || word.size() > longest_word) return std::nullopt;
  std::optional<std::string> best;
  std::size_t best_distance = std::max<std::size_t>(word.size() / 3, 1) + 1;
  for (const std::string& candidate : known) {
    const std::size_t candidate_distance = distance(word, candidate);
    if (candidate_distance >= best_distance) continue;
    best = candidate;
    best_distance = candidate_distance;
  }
  if (best) return best;
  const auto longer = std::find_if(known.begin(), known.end(),
                                   [&](const std::string& candidate) { return candidate.starts_with(word); });
  if (longer != known.end()) best = *longer;
  return best;
}

}  // namespace agentrun::cli
