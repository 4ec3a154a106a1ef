#pragma once
// The steps that the demo agent takes.

#include <string>
#include <string_view>
#include <vector>

namespace demo {

struct Step {
  std::string command;   ///< write, read, fetch, say, sleep or exit
  std::string argument;  ///< PATH, URL, TEXT, seconds or exit code
  std::string text;      ///< of write: what the file will hold
};

/// Why a script cannot be run, with its line.
struct ScriptError {
  std::string message;
};

/// True when the first line is "#demo".
[[nodiscard]] bool is_script(std::string_view prompt);

/// One step a line; blank lines and lines that start with '#' are left out. Throws ScriptError.
[[nodiscard]] std::vector<Step> parse_script(std::string_view text);

/// What it does when the prompt is no script, from DEMO_OUTSIDE, DEMO_SECRET, DEMO_ALLOWED_URL and DEMO_REFUSED_URL
/// of the environment.
[[nodiscard]] std::vector<Step> built_in_script();

}  // namespace demo
