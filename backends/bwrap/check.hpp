#pragma once
// Whether bwrap works on this machine: that a program of that name exists says nothing in a container or where user
// namespaces are restricted, so it is started once.

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "agentrun/backend.hpp"
#include "namespaces.hpp"

namespace agentrun::bwrap {

/// What the check found and the plan uses.
struct Findings {
  std::filesystem::path bwrap;
  std::optional<std::filesystem::path> socat;  ///< when the run is proxied
  Namespaces namespaces;
  bool root = false;
};

struct Checked {
  Findings findings;
  Readiness readiness;
};

/// The command line of one attempt: the wrapper's namespaces and capabilities around a program that does nothing.
[[nodiscard]] std::vector<std::string> check_command(const std::filesystem::path& bwrap, const Namespaces& namespaces,
                                                     bool root);

/// `kernel_release` is the content of /proc/sys/kernel/osrelease.
[[nodiscard]] Result<Checked> check(CheckServices& services, const CheckRequest& request,
                                    std::string_view kernel_release);

}  // namespace agentrun::bwrap
