#pragma once
// Permission rules of claude that name a path: "Read(//etc/**)". The text between the parentheses is a pattern as in
// a .gitignore file; an absolute path has one more slash in front.

#include <filesystem>
#include <string>
#include <string_view>

namespace agentrun::claude_code {

/// TOOL for `path` itself, with everything special in it taken literally (but "?", which claude lets stand for any
/// character).
[[nodiscard]] std::string rule_for(std::string_view tool, const std::filesystem::path& path);
/// TOOL for everything below `directory`.
[[nodiscard]] std::string rule_below(std::string_view tool, const std::filesystem::path& directory);

/// claude takes --allowedTools apart at spaces and commas, and finds only the first ")" of a rule: one with more in it
/// would fall into pieces ("Edit" alone allows everything). Settings take such a rule as it is.
[[nodiscard]] bool fits_a_list(std::string_view rule) noexcept;

}  // namespace agentrun::claude_code
