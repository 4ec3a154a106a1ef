#include "agentrun/text.hpp"
#include "json/json_line.hpp"
#include "pi/line_kind.hpp"
#include "pi/translator.hpp"
#include "targets.hpp"
#include "translation.hpp"

namespace agentrun::fuzz {

void fuzz_pi_translator(std::string_view input) {
  pi::PiTranslator one("demo/demo-1");
  pi::PiTranslator two("demo/demo-1");
  const std::string events = translate(one, input, '\0');
  check_events(events);
  require(events == translate(two, input, '"'), "what lies behind a line does not matter");

  const std::string repaired = json::repaired_json(input);
  require(is_utf8(repaired), "repaired JSON is UTF-8");
  require(json::repaired_json(repaired) == repaired, "repairing again changes nothing");
  (void)pi::line_kind(input);
}

}  // namespace agentrun::fuzz
