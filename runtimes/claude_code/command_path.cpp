#include "command_path.hpp"

#include "agentrun/text.hpp"
#include "program_path/program_path.hpp"

namespace agentrun::claude_code {

void keep_planted_programs_out(const LaunchContext& context, Launch& launch) {
  auto kept = program_path::without_planted_programs(context);
  if (!kept) return;
  launch.variables.push_back({"PATH", std::move(*kept)});
  if (context.environment.get_nonempty("CLAUDE_ENV_FILE")) return;
  // claude puts this text in front of every command that it runs inside.
  const std::filesystem::path file = context.session_directory / "claude-path.sh";
  launch.files.push_back({file, "export PATH=" + shell_quote(context.search_path) + "\n", 0600});
  launch.variables.push_back({"CLAUDE_ENV_FILE", file.native()});
}

}  // namespace agentrun::claude_code
