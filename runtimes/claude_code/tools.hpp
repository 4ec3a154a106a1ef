#pragma once
// Which tools claude has in a run, and what they may do without being asked: nobody is there to ask.

#include <string>
#include <vector>

#include "agentrun/runtime.hpp"

namespace agentrun::claude_code {

struct Tools {
  std::string names;               ///< for --tools
  std::string allowed;             ///< for --allowedTools
  std::vector<std::string> rules;  ///< allowed, too, and only the settings can hold them
};

[[nodiscard]] Tools tools_of(const LaunchContext& context);

}  // namespace agentrun::claude_code
