#pragma once
// The read-only root with devices and /proc, as bwrap arguments: what every wrapped process sees first.

#include <string>
#include <vector>

namespace agentrun::bwrap {

/// What the mounts depend on, apart from the policy.
struct HostFacts {
  bool root = false;         ///< the effective user
  bool binfmt_misc = false;  ///< the kernel has the directory /proc/sys/fs/binfmt_misc
};

/// The read-only root with devices and /proc: what the check starts too.
[[nodiscard]] std::vector<std::string> base_mounts(const HostFacts& host);

/// Adds an empty directory at `path`, read-only afterwards: a write into it must fail, not vanish.
void append_empty_directory(std::vector<std::string>& arguments, const std::string& path);

}  // namespace agentrun::bwrap
