#pragma once
// Whether bwrap works on this machine: that a program of that name exists says nothing in a container or where user
// namespaces are restricted, so it is started once. Shared by all backends whose sandbox is made by bwrap.

#include <filesystem>
#include <string>
#include <vector>

#include "agentrun/backend.hpp"
#include "base_mounts.hpp"
#include "namespaces.hpp"

namespace agentrun::bwrap {

struct Kernel {
  std::string release;       ///< the content of /proc/sys/kernel/osrelease
  bool binfmt_misc = false;  ///< see HostFacts
};

[[nodiscard]] Kernel this_kernel();

/// bwrap in the session PATH. Refused on the first Windows Subsystem for Linux, and where there is none.
[[nodiscard]] Result<std::filesystem::path> find_bwrap(CheckServices& services, const Kernel& kernel);

/// The command line of one attempt: the wrapper's namespaces and capabilities around a program that does nothing.
[[nodiscard]] std::vector<std::string> check_command(const std::filesystem::path& bwrap, const Namespaces& namespaces,
                                                     const HostFacts& host);

struct Started {
  Namespaces namespaces;         ///< the strongest that work here
  std::vector<CheckStep> steps;  ///< each attempt
};

/// Starts bwrap until an attempt works.
[[nodiscard]] Result<Started> start_once(CheckServices& services, const std::filesystem::path& bwrap,
                                         const HostFacts& host);

/// bwrap as a tool of the backend, with its version when asked for.
[[nodiscard]] Tool bwrap_tool(CheckServices& services, const std::filesystem::path& bwrap, const CheckRequest& request);

}  // namespace agentrun::bwrap
