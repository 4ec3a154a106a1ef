#pragma once
// A directory of which only some entries may be written. bwrap cannot allow names that do not exist yet, so the whole
// directory becomes writable and its other entries are made read-only one by one. What remains: new entries can be
// made in it, and a symbolic link in it can be replaced.

#include <filesystem>
#include <vector>

#include "agentrun/policy.hpp"
#include "agentrun/result.hpp"

namespace agentrun::bwrap {

/// Real paths only: bwrap cannot mount on a symbolic link.
struct StateMounts {
  std::vector<std::filesystem::path> writable;
  std::vector<std::filesystem::path> read_only;

  friend bool operator==(const StateMounts&, const StateMounts&) = default;
};

/// Looks at the entries of the policy's state directories. A missing one gives no mounts. Refused when it
/// cannot be listed: what is not seen would stay writable.
[[nodiscard]] Result<StateMounts> state_mounts(const Policy& policy);

}  // namespace agentrun::bwrap
