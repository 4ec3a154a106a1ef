#include "tool_item.hpp"

#include <cstdint>

#include "agentrun/text.hpp"
#include "call_output.hpp"
#include "json/json_line.hpp"
#include "patch.hpp"
#include "shell_command.hpp"

namespace agentrun::codex {

namespace {

namespace dom = simdjson::dom;
using json::text_member;

std::string changed_files(dom::element item) {
  std::string files;
  dom::array changes;
  if (item["changes"].get(changes) != simdjson::SUCCESS) return files;
  for (const dom::element change : changes) {
    if (!append_path(files, text_member(change, "path"))) break;
  }
  return files;
}

}  // namespace

std::optional<ToolText> tool_text(dom::element item) {
  const std::string_view type = text_member(item, "type");
  if (type == "command_execution") {
    return ToolText{"shell", summary_line(first_script_line(text_member(item, "command")))};
  }
  if (type == "file_change") return ToolText{"patch", summary_line(changed_files(item))};
  if (type == "mcp_tool_call") {
    std::string tool(text_member(item, "server"));
    tool.append(".").append(text_member(item, "tool"));
    return ToolText{"mcp", summary_line(tool)};
  }
  return std::nullopt;
}

bool declined(dom::element item) { return text_member(item, "status") == "declined"; }

std::optional<std::string> sandbox_error(dom::element item) {
  std::int64_t code = 0;
  // A command that ended well had a sandbox, whatever it printed.
  if (item["exit_code"].get(code) != simdjson::SUCCESS || code == 0) return std::nullopt;
  return sandbox_failure(text_member(item, "aggregated_output"));
}

}  // namespace agentrun::codex
