#include "summary.hpp"

#include "agentrun/text.hpp"
#include "json/json_line.hpp"

namespace agentrun::claude_code {

namespace {

using json::text_member;

bool climbs(std::string_view path) { return path.find("/../") != std::string_view::npos || path.ends_with("/.."); }

/// Textually: claude itself names files by their full path.
std::string_view from_directory(std::string_view path, std::string_view directory) {
  if (!path.starts_with(directory) || climbs(path)) return path;
  const std::string_view rest = path.substr(directory.size());
  if (rest.size() < 2 || rest.front() != '/') return path;
  return rest.substr(1);
}

}  // namespace

std::string tool_summary(std::string_view tool, simdjson::dom::element input, std::string_view cwd) {
  if (tool == "Bash") return summary_line(first_line(text_member(input, "command")));
  if (tool == "Read" || tool == "Edit" || tool == "Write") {
    return summary_line(from_directory(text_member(input, "file_path"), cwd));
  }
  if (tool == "Glob" || tool == "Grep") return summary_line(text_member(input, "pattern"));
  if (tool == "WebFetch") return summary_line(text_member(input, "url"));
  return {};
}

}  // namespace agentrun::claude_code
