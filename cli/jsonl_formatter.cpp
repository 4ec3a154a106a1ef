#include "cli/jsonl_formatter.hpp"

namespace agentrun::cli {

void JsonlFormatter::format(const Event& event, std::string& out) {
  append_json(out, event);
  out += '\n';
}

}  // namespace agentrun::cli
