#pragma once
// The result of a tool call, as claude hands it to the model.

#include <optional>
#include <string>
#include <string_view>

#include <simdjson.h>

namespace agentrun::claude_code {

struct ToolResult {
  std::string_view id;
  std::string_view text;  ///< its first text
  bool is_error = false;
};

/// Nothing for a block of another kind.
[[nodiscard]] std::optional<ToolResult> tool_result(simdjson::dom::element block);

/// claude's permission system says so in the line's "tool_result_meta".
[[nodiscard]] bool is_rejected(simdjson::dom::element line, std::string_view id);

/// The result is one of the refusals that claude reports as text alone.
[[nodiscard]] bool is_refusal_text(std::string_view text) noexcept;

/// The subagent works in the background: this result does not end it.
[[nodiscard]] bool is_background_launch(std::string_view text) noexcept;

/// The error of a sandbox that could not start the command at all; empty when the command ran.
[[nodiscard]] std::string_view sandbox_failure(std::string_view text) noexcept;

}  // namespace agentrun::claude_code
