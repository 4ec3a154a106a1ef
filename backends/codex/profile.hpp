#pragma once
// agentrun's policy as a permission profile of codex, in options that it takes in front of any other (measured with
// codex 0.159.2 and 0.171.0).

#include <string>
#include <vector>

#include "agentrun/network_access.hpp"
#include "agentrun/policy.hpp"
#include "agentrun/result.hpp"

namespace agentrun::codex {

inline constexpr const char* profile_name = "agentrun";

/// Refused when a path cannot be said in a profile.
[[nodiscard]] Result<std::vector<std::string>> profile_arguments(const Policy& policy, NetworkAccess::Kind network);

}  // namespace agentrun::codex
