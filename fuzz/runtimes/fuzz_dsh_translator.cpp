#include "dsh/event_kind.hpp"
#include "dsh/translator.hpp"
#include "targets.hpp"
#include "translation.hpp"

namespace agentrun::fuzz {

void fuzz_dsh_translator(std::string_view input) {
  dsh::DshTranslator one("/nonexistent");
  dsh::DshTranslator two("/nonexistent");
  const std::string events = translate(one, input, '\0');
  check_events(events);
  require(events == translate(two, input, '"'), "what lies behind a line does not matter");
  (void)dsh::event_kind(input);
}

}  // namespace agentrun::fuzz
