#pragma once
#include <string>
#include <string_view>

namespace agentrun::codex {

/// `text` as a TOML basic string with its quotes (https://toml.io/en/v1.0.0#string). `text` is UTF-8.
[[nodiscard]] std::string toml_string(std::string_view text);

}  // namespace agentrun::codex
