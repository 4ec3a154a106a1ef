#include "demo/translator.hpp"
#include "targets.hpp"
#include "translation.hpp"

namespace agentrun::fuzz {

void fuzz_demo_translator(std::string_view input) {
  demo::DemoTranslator one;
  demo::DemoTranslator two;
  const std::string events = translate(one, input, '\0');
  check_events(events);
  require(events == translate(two, input, '"'), "what lies behind a line does not matter");
}

}  // namespace agentrun::fuzz
