#pragma once
// Where the prompt comes from.

#include <filesystem>
#include <optional>
#include <string>

#include "agentrun/result.hpp"

namespace agentrun::host {

/// `text` (--prompt), else the content of `file` (--prompt-file), else everything that comes from
/// `standard_input`. Bytes are passed on as they are.
///
/// Stops with ErrorCode::interrupted when `wake` becomes readable (-1: never). ErrorCode::usage: both given, a
/// terminal on standard input (never waited on), an empty prompt, a NUL byte, more than 64 MiB. ErrorCode::io and
/// not_found: a file that cannot be read; the message names it, never its content.
[[nodiscard]] Result<std::string> read_prompt(const std::optional<std::string>& text,
                                              const std::optional<std::filesystem::path>& file, int standard_input,
                                              int wake);

}  // namespace agentrun::host
