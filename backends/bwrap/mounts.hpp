#pragma once
// The file system that a wrapped process sees, as bwrap arguments. bwrap mounts in the order of its arguments and a
// later mount covers an earlier one, so the order is the policy: what is hidden comes last.

#include <filesystem>
#include <string>
#include <vector>

#include "agentrun/policy.hpp"
#include "state_directory.hpp"

namespace agentrun::bwrap {

/// What the mounts depend on, apart from the policy.
struct HostFacts {
  bool root = false;         ///< the effective user
  bool binfmt_misc = false;  ///< the kernel has the directory /proc/sys/fs/binfmt_misc
};

/// The read-only root with devices and /proc: what the check starts too.
[[nodiscard]] std::vector<std::string> base_mounts(const HostFacts& host);

/// What is added for a policy: writable directories, state entries, hidden paths. A pure function of its arguments.
[[nodiscard]] std::vector<std::string> policy_mounts(const Policy& policy, const StateMounts& state);

}  // namespace agentrun::bwrap
