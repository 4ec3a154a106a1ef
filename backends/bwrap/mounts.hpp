#pragma once
// The file system that a wrapped process sees, as bwrap arguments. bwrap mounts in the order of its arguments and a
// later mount covers an earlier one, so the order is the policy: what is hidden comes last.

#include <filesystem>
#include <string>
#include <vector>

#include "agentrun/policy.hpp"
#include "bubblewrap/base_mounts.hpp"
#include "state_directory.hpp"

namespace agentrun::bwrap {

/// What is added for a policy: writable directories, state entries, hidden paths. A pure function of its arguments.
[[nodiscard]] std::vector<std::string> policy_mounts(const Policy& policy, const StateMounts& state);

}  // namespace agentrun::bwrap
