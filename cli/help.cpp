#include "cli/help.hpp"

#include "agentrun/abi.hpp"

namespace agentrun::cli {

std::string top_level_help(const std::vector<std::string>& runtimes) {
  std::string text =
      "Runs coding agents, or any command, inside a sandbox with a filtered network.\n"
      "\n"
      "Usage: agentrun RUNTIME [options] [-- runtime arguments]\n"
      "       agentrun exec [options] -- COMMAND [ARGS…]\n"
      "       agentrun doctor [RUNTIME…] [options]\n"
      "       agentrun explain [options] read PATH | write PATH | connect HOST:PORT\n"
      "       agentrun plugins [--json]\n"
      "       agentrun --version | --help | RUNTIME --help | exec --help | doctor --help\n"
      "       agentrun explain --help\n"
      "\n"
      "Runtimes found:\n";
  for (const std::string& runtime : runtimes) text += "  " + runtime + '\n';
  if (runtimes.empty()) text += "  none: 'agentrun plugins' tells where they are looked for\n";
  text +=
      "\n"
      "Other sub-commands:\n"
      "  exec                      run a command under the same limits\n"
      "  doctor                    check what a run would meet here: programs, logins, sandbox\n"
      "  explain                   say whether a command could read, write or reach something\n"
      "  plugins                   list runtimes and backends, and why one is not usable\n"
      "\n"
      "By default an agent can write only to the working directory and to its temporary\n"
      "session directory, cannot read keys and logins, and reaches no host but its model service.\n"
      "\n"
      "Examples:\n"
      "  agentrun " +
      (runtimes.empty() ? std::string("RUNTIME") : runtimes.front()) +
      " --prompt 'Fix the failing test'\n"
      "  agentrun exec --network full -- npm test\n";
  return text;
}

std::string version_line() { return "agentrun " AGENTRUN_VERSION "\n"; }

}  // namespace agentrun::cli
