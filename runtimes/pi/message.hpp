#pragma once
// A message of a user or the assistant, as pi writes it when it begins and when it ends.

#include <string>
#include <string_view>

#include <simdjson.h>

#include "agentrun/usage.hpp"

namespace agentrun::pi {

/// The text parts of a message's content, joined by newlines; thinking, calls and images are left out.
[[nodiscard]] std::string message_text(simdjson::dom::element message);

/// "provider/model"; one side alone when the other is missing.
[[nodiscard]] std::string message_model(simdjson::dom::element message);

/// All absent when the call reported no tokens: pi starts from zeros and keeps them then.
[[nodiscard]] TokenCounts message_usage(simdjson::dom::element message);

}  // namespace agentrun::pi
