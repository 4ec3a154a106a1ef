#include <algorithm>
#include <string>

#include "agentrun/runtime.hpp"
#include "agentrun/text.hpp"
#include "codex/patch.hpp"
#include "codex/rollout.hpp"
#include "targets.hpp"

namespace agentrun::fuzz {

void fuzz_codex_rollout(std::string_view input) {
  constexpr std::size_t kept = 2;
  codex::RolloutReader reader(kept);
  for (std::string_view rest = input; !rest.empty();) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    std::string padded(line);
    padded.resize(line.size() + Translator::line_padding);
    reader.line(std::string_view(padded).substr(0, line.size()));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
  }
  require(reader.turns().size() <= kept, "earlier turns are dropped");
  for (const codex::RolloutTurn& turn : reader.turns()) {
    for (const codex::RolloutCall& call : turn.calls) {
      require(!call.name.empty(), "a call has a name");
      require(is_utf8(call.summary), "a summary is UTF-8");
      require(call.summary.find('\n') == std::string::npos, "a summary is one line");
    }
  }
  require(codex::patched_files(input).size() <= 4096, "a summary is read from the beginning of a patch");
}

}  // namespace agentrun::fuzz
