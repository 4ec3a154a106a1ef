#include "agentrun/text.hpp"
#include "codex/line_kind.hpp"
#include "codex/shell_command.hpp"
#include "codex/translator.hpp"
#include "targets.hpp"
#include "translation.hpp"

namespace agentrun::fuzz {

void fuzz_codex_translator(std::string_view input) {
  codex::CodexTranslator one({.model = "gpt-x", .resume = "01a2"});
  codex::CodexTranslator two({.model = "gpt-x", .resume = "01a2"});
  const std::string events = translate(one, input, '\0');
  check_events(events);
  require(events == translate(two, input, '"'), "what lies behind a line does not matter");

  (void)codex::line_kind(input);
  require(codex::first_script_line(input).size() <= 2048, "a summary is read from the beginning of a command");
}

}  // namespace agentrun::fuzz
