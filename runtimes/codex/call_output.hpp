#pragma once
// What the model was told about the end of a call.

#include <optional>
#include <string>

#include <simdjson.h>

namespace agentrun::codex {

struct CallOutput {
  bool denied = false;       ///< codex's own rules refused the call
  bool unsupported = false;  ///< there is no such tool: nothing was called
  std::optional<std::string> sandbox_error;
};

/// `output` is a text, or a list of texts for a script of calls.
[[nodiscard]] CallOutput read_output(simdjson::dom::element output);

/// The reason, when `output` is not the command's but that of a sandbox that could not be made.
[[nodiscard]] std::optional<std::string> sandbox_failure(std::string_view output);

}  // namespace agentrun::codex
