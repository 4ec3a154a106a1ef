#include "path_rules.hpp"

#include <algorithm>

namespace agentrun::claude_code {

namespace {

/// With a backslash before each of `special`.
std::string escaped(std::string_view text, std::string_view special) {
  std::string out;
  for (const char c : text) {
    if (special.find(c) != std::string_view::npos) out.push_back('\\');
    out.push_back(c);
  }
  return out;
}

std::string rule(std::string_view tool, const std::filesystem::path& path, std::string_view behind) {
  // Two readers: the rule's, and then the pattern's.
  const std::string pattern = escaped(path.native(), "\\*[]");
  return std::string(tool) + "(/" + escaped(pattern, "\\()") + std::string(behind) + ")";
}

}  // namespace

std::string rule_for(std::string_view tool, const std::filesystem::path& path) { return rule(tool, path, ""); }

std::string rule_below(std::string_view tool, const std::filesystem::path& directory) {
  return rule(tool, directory, "/**");
}

bool fits_a_list(std::string_view rule) noexcept {
  return std::ranges::count(rule, '(') == 1 && std::ranges::count(rule, ')') == 1;
}

}  // namespace agentrun::claude_code
