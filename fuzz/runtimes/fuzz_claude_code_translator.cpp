#include "claude_code/line_kind.hpp"
#include "claude_code/translator.hpp"
#include "targets.hpp"
#include "translation.hpp"

namespace agentrun::fuzz {

void fuzz_claude_code_translator(std::string_view input) {
  const claude_code::TranslatorOptions options{
      .cwd = "/w", .subagents = false, .sandboxed = true, .keeps_session = true};
  claude_code::ClaudeTranslator one(options);
  claude_code::ClaudeTranslator two(options);
  const std::string events = translate(one, input, '\0');
  check_events(events);
  require(events == translate(two, input, '"'), "what lies behind a line does not matter");
  (void)claude_code::line_kind(input);
}

}  // namespace agentrun::fuzz
