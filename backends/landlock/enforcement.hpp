#pragma once
// What a policy promises and this backend cannot keep here.

#include <string>
#include <vector>

namespace agentrun::landlock {

/// Everything that is known to use what this ABI lacks, and what no ABI has. Newer ABIs bring nothing that is used.
inline constexpr int newest_used_abi = 6;

struct Reach {
  int abi = 0;
  bool supervised = false;  ///< connections are judged
  bool root = false;
};

/// As Enforcement::missing.
[[nodiscard]] std::vector<std::string> missing(const Reach& reach);

}  // namespace agentrun::landlock
