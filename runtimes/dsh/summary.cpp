#include "summary.hpp"

#include "agentrun/text.hpp"
#include "json/json_line.hpp"

namespace agentrun::dsh {

using json::text_member;

std::string tool_summary(std::string_view tool, simdjson::dom::element arguments) {
  if (tool == "bash") return summary_line(first_line(text_member(arguments, "command")));
  if (tool == "read" || tool == "write" || tool == "edit") return summary_line(text_member(arguments, "file_path"));
  if (tool == "glob" || tool == "grep") return summary_line(text_member(arguments, "pattern"));
  return {};
}

}  // namespace agentrun::dsh
