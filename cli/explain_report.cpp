#include "cli/explain_report.hpp"

#include "agentrun/text.hpp"
#include "cli/printable.hpp"

namespace agentrun::cli {

std::string explanation_text(const Explanation& explanation) {
  return (explanation.allowed ? "allowed: " : "denied: ") + printable_line(explanation.rule) + '\n';
}

std::string explanation_json(const Explanation& explanation) {
  std::string out = explanation.allowed ? R"({"allowed":true,"rule":)" : R"({"allowed":false,"rule":)";
  append_json_string(out, explanation.rule);
  return out += "}\n";
}

}  // namespace agentrun::cli
