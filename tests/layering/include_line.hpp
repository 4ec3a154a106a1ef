#pragma once
// The #include lines of a source file.

#include <filesystem>
#include <string>
#include <vector>

namespace agentrun::layering {

struct Include {
  std::string target;   ///< what stands between the brackets
  bool angled = false;  ///< <…>, not "…"
};

/// Good enough for formatted sources: one directive a line, nothing behind #if left out.
[[nodiscard]] std::vector<Include> includes_of(const std::string& content);

}  // namespace agentrun::layering
