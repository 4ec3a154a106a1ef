#pragma once

#include <string>
#include <string_view>

#include <simdjson.h>

namespace agentrun::claude_code {

/// What a tool call is about, in one line; empty for a tool that is not known. A path inside `cwd` is told from there.
[[nodiscard]] std::string tool_summary(std::string_view tool, simdjson::dom::element input, std::string_view cwd);

}  // namespace agentrun::claude_code
