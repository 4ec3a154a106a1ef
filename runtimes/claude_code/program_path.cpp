#include "program_path.hpp"

#include <algorithm>

#include "agentrun/path.hpp"
#include "agentrun/text.hpp"

namespace agentrun::claude_code {

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

void keep_planted_programs_out(const LaunchContext& context, Launch& launch) {
  if (!context.sandboxed || context.search_path.empty()) return;
  std::string kept = outside_entries(context.search_path, context.cwd, context.policy.writable());
  if (kept == context.search_path) return;
  // An empty PATH would mean the current directory.
  if (kept.empty()) kept = "/usr/bin:/bin";
  // A bwrap that the agent planted would otherwise be started in place of the real one, outside, at its next command.
  launch.variables.push_back({"PATH", std::move(kept)});
  if (context.environment.get_nonempty("CLAUDE_ENV_FILE")) return;
  // claude puts this text in front of every command that it runs inside.
  const std::filesystem::path file = context.session_directory / "claude-path.sh";
  launch.files.push_back({file, "export PATH=" + shell_quote(context.search_path) + "\n", 0600});
  launch.variables.push_back({"CLAUDE_ENV_FILE", file.native()});
}

}  // namespace agentrun::claude_code
