#pragma once
// Whether the backend works on this machine, and which of its helpers there are.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "agentrun/backend.hpp"
#include "bubblewrap/start_check.hpp"

namespace agentrun::bwrap {

/// What the check found and the plan uses.
struct Findings {
  std::filesystem::path bwrap;
  std::optional<std::filesystem::path> socat;  ///< when the run is proxied and has no door
  std::optional<std::filesystem::path> door;   ///< the helper that holds the start back; no check was made then
  Namespaces namespaces;
  HostFacts host;
};

struct Checked {
  Findings findings;
  Readiness readiness;
};

/// The helper of this package, beside the directory of the plugins; nothing where it is not installed.
[[nodiscard]] std::optional<std::filesystem::path> find_door(const std::filesystem::path& plugin_directory);

[[nodiscard]] Result<Checked> check(CheckServices& services, const CheckRequest& request, const Kernel& kernel);

}  // namespace agentrun::bwrap
