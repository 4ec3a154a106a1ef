#pragma once
// --format: how a run shows its events on standard output.

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "agentrun/host/frontend.hpp"

namespace agentrun::cli {

enum class OutputFormat { rich, text, jsonl };

[[nodiscard]] std::optional<OutputFormat> parse_output_format(std::string_view text) noexcept;

/// rich for a person at a terminal, jsonl for a program.
[[nodiscard]] OutputFormat usual_format(bool terminal) noexcept;

/// The format for a refusal of a command line that cannot be parsed: the last valid --format in front of "--".
[[nodiscard]] std::optional<OutputFormat> scan_output_format(const std::vector<std::string>& words);

/// rich shows as text.
[[nodiscard]] std::unique_ptr<host::EventFormatter> make_formatter(OutputFormat format);

}  // namespace agentrun::cli
