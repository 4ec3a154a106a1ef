#include "tool_result.hpp"

#include "agentrun/text.hpp"
#include "json/json_line.hpp"

namespace agentrun::claude_code {

namespace {

namespace dom = simdjson::dom;
using json::text_member;

/// The content of a result is a text or a list of blocks.
std::string_view first_text(dom::element content) {
  std::string_view text;
  if (content.get(text) == simdjson::SUCCESS) return text;
  dom::array blocks;
  if (content.get(blocks) != simdjson::SUCCESS) return {};
  for (const dom::element block : blocks) {
    if (text_member(block, "type") == "text") return text_member(block, "text");
  }
  return {};
}

}  // namespace

std::optional<ToolResult> tool_result(dom::element block) {
  if (text_member(block, "type") != "tool_result") return std::nullopt;
  ToolResult result;
  result.id = text_member(block, "tool_use_id");
  dom::element content;
  if (block["content"].get(content) == simdjson::SUCCESS) result.text = first_text(content);
  bool is_error = false;
  result.is_error = block["is_error"].get(is_error) == simdjson::SUCCESS && is_error;
  return result;
}

bool is_rejected(dom::element line, std::string_view id) {
  dom::array results;
  if (line["tool_result_meta"].get(results) != simdjson::SUCCESS) return false;
  for (const dom::element result : results) {
    dom::element decision;
    if (text_member(result, "id") != id || result["permission_decision"].get(decision) != simdjson::SUCCESS) continue;
    return text_member(decision, "decision") == "reject";
  }
  return false;
}

bool is_refusal_text(std::string_view text) noexcept {
  return text.starts_with("<tool_use_error>File is in a directory that is denied by your permission settings.") ||
         text.starts_with("<tool_use_error>File is covered by a Read deny rule in your permission settings");
}

bool is_background_launch(std::string_view text) noexcept { return text.starts_with("Async agent launched"); }

std::string_view sandbox_failure(std::string_view text) noexcept {
  constexpr std::string_view code = "Exit code ";
  if (!text.starts_with(code)) return {};
  const std::size_t digits = text.find_first_not_of("0123456789", code.size());
  if (digits == std::string_view::npos || text[digits] != '\n') return {};
  const std::string_view output = text.substr(digits + 1);
  for (const std::string_view program : {"bwrap: ", "sandbox-exec: "}) {
    if (output.starts_with(program)) return first_line(output.substr(program.size()));
  }
  return {};
}

}  // namespace agentrun::claude_code
