#include "summary.hpp"

#include "agentrun/text.hpp"
#include "json/json_line.hpp"

namespace agentrun::pi {

std::string tool_summary(std::string_view tool, simdjson::dom::element arguments) {
  if (tool == "bash") return summary_line(first_line(json::text_member(arguments, "command")));
  if (tool == "grep" || tool == "find") return summary_line(json::text_member(arguments, "pattern"));
  if (tool == "read" || tool == "write" || tool == "edit" || tool == "ls") {
    const std::string_view path = json::text_member(arguments, "path");
    return path.empty() ? "." : summary_line(path);
  }
  return {};
}

}  // namespace agentrun::pi
