#pragma once
// A message of a user or the assistant in a session event of dsh.

#include <string>
#include <string_view>

#include <simdjson.h>

#include "agentrun/usage.hpp"

namespace agentrun::dsh {

/// The text parts of a message's content, joined by newlines; reasoning, calls and images are left out.
[[nodiscard]] std::string message_text(simdjson::dom::element message);

/// The kind of a message's source: "user", "model", "tool", …
[[nodiscard]] std::string_view source_kind(simdjson::dom::element message);

/// As --model takes it; empty when the message does not tell.
[[nodiscard]] std::string message_model(simdjson::dom::element message);

/// `data` of an assistant/message. What it does not tell is absent.
[[nodiscard]] TokenCounts message_usage(simdjson::dom::element data);

}  // namespace agentrun::dsh
