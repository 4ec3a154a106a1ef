#pragma once

#include <string>
#include <vector>

namespace agentrun::host {

/// claude-code, codex, pi, dsh, then the others by name; each once.
[[nodiscard]] std::vector<std::string> usual_order(std::vector<std::string> runtimes);

/// As they are, each once.
[[nodiscard]] std::vector<std::string> without_repeats(const std::vector<std::string>& runtimes);

}  // namespace agentrun::host
