#pragma once
// A tool call as an item of codex's stream.

#include <optional>
#include <string>

#include <simdjson.h>

namespace agentrun::codex {

struct ToolText {
  std::string name;  ///< "shell", "patch", "mcp"
  std::string summary;
};

/// Nothing for an item that is no tool call.
[[nodiscard]] std::optional<ToolText> tool_text(simdjson::dom::element item);

/// codex's own rules refused the call; the sandbox did not see it.
[[nodiscard]] bool declined(simdjson::dom::element item);

/// The sandbox's own error, when the command failed because no sandbox could be made around it.
[[nodiscard]] std::optional<std::string> sandbox_error(simdjson::dom::element item);

}  // namespace agentrun::codex
