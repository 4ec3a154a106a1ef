#include "program_path/program_path.hpp"

#include <algorithm>

#include "agentrun/path.hpp"

namespace agentrun::program_path {

std::string outside_entries(std::string_view search_path, const std::filesystem::path& cwd,
                            const std::vector<std::filesystem::path>& writable) {
  std::string kept;
  for (std::string_view rest = search_path;;) {
    const std::size_t colon = rest.find(':');
    const std::string_view entry = rest.substr(0, colon);
    const std::filesystem::path directory = absolute_from(cwd, std::filesystem::path(entry));
    const bool inside = std::ranges::any_of(writable, [&](const auto& outer) { return contains(outer, directory); });
    if (entry.starts_with('/') && !inside) {
      if (!kept.empty()) kept.push_back(':');
      kept.append(entry);
    }
    if (colon == std::string_view::npos) return kept;
    rest.remove_prefix(colon + 1);
  }
}

std::optional<std::string> without_planted_programs(const LaunchContext& context) {
  if (!context.sandboxed || context.search_path.empty()) return std::nullopt;
  std::string kept = outside_entries(context.search_path, context.cwd, context.policy.writable());
  if (kept == context.search_path) return std::nullopt;
  // An empty PATH would mean the current directory.
  return kept.empty() ? "/usr/bin:/bin" : kept;
}

}  // namespace agentrun::program_path
