#pragma once
// Whether bwrap works on this machine: that a program of that name exists says nothing in a container or where user
// namespaces are restricted, so it is started once.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "agentrun/backend.hpp"
#include "mounts.hpp"
#include "namespaces.hpp"

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

/// The command line of one attempt: the wrapper's namespaces and capabilities around a program that does nothing.
[[nodiscard]] std::vector<std::string> check_command(const std::filesystem::path& bwrap, const Namespaces& namespaces,
                                                     const HostFacts& host);

struct Kernel {
  std::string release;       ///< the content of /proc/sys/kernel/osrelease
  bool binfmt_misc = false;  ///< see HostFacts
};

/// The helper of this package, beside the directory of the plugins; nothing where it is not installed.
[[nodiscard]] std::optional<std::filesystem::path> find_door(const std::filesystem::path& plugin_directory);

[[nodiscard]] Result<Checked> check(CheckServices& services, const CheckRequest& request, const Kernel& kernel);

}  // namespace agentrun::bwrap
