#pragma once

#include <string>
#include <string_view>

#include <simdjson.h>

namespace agentrun::dsh {

/// What a tool call is about, in one line; empty for a tool that is not known.
[[nodiscard]] std::string tool_summary(std::string_view tool, simdjson::dom::element arguments);

}  // namespace agentrun::dsh
