#pragma once
// Whether Landlock works on this machine, and how much of it.

#include <filesystem>
#include <string>
#include <vector>

#include "agentrun/backend.hpp"
#include "enforcement.hpp"
#include "kernel.hpp"

namespace agentrun::landlock {

/// What the check found and the plan uses.
struct Findings {
  std::filesystem::path helper;
  Reach reach;
};

struct Checked {
  Findings findings;
  Readiness readiness;
};

/// The program of this package, beside the directory of the plugins.
[[nodiscard]] std::filesystem::path helper_path(const std::filesystem::path& plugin_directory);

/// The command line of one attempt: the helper around itself.
[[nodiscard]] std::vector<std::string> check_command(const Findings& findings);

[[nodiscard]] Result<Checked> check(CheckServices& services, const CheckRequest& request, const Kernel& kernel);

}  // namespace agentrun::landlock
