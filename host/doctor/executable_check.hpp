#pragma once

#include <filesystem>
#include <optional>

#include "doctor/examinee.hpp"
#include "doctor/finding.hpp"
#include "doctor/scratch.hpp"

namespace agentrun::host {

struct ExecutableFinding {
  Finding finding;
  std::optional<std::filesystem::path> path;  ///< when there is one that a run would start, however old
};

/// Where the runtime's program is, and whether its version is new enough.
[[nodiscard]] ExecutableFinding check_executable(const Examinee& examinee, const Scratch& scratch,
                                                 SignalSource& signals);

}  // namespace agentrun::host
