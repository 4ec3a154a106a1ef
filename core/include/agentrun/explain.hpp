#pragma once
// Answers from a policy, in a sentence: may this be read, written, reached, and by which rule. Asks the same values
// that backends and the proxy keep.

#include <cstdint>
#include <filesystem>
#include <string>

#include "agentrun/host_name.hpp"
#include "agentrun/policy.hpp"

namespace agentrun {

struct Explanation {
  bool allowed = false;
  std::string rule;  ///< what decided, as half a sentence: "it lies in the working directory /w"
};

/// `path` is absolute; it need not exist. Permissions of the file itself are not looked at.
[[nodiscard]] Explanation explain_read(const Policy& policy, const std::filesystem::path& path);
[[nodiscard]] Explanation explain_write(const Policy& policy, const std::filesystem::path& path);

/// Asks no name server: what hangs on a name's addresses is said.
[[nodiscard]] Explanation explain_connect(const NetworkPolicy& policy, const HostName& host, std::uint16_t port);

}  // namespace agentrun
