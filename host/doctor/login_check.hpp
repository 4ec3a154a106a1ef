#pragma once

#include <filesystem>
#include <optional>

#include "doctor/examinee.hpp"
#include "doctor/finding.hpp"
#include "doctor/scratch.hpp"

namespace agentrun::host {

/// Asks the runtime whether it could log in. `executable` is absent when there is none.
[[nodiscard]] Finding check_login(const Examinee& examinee, const std::optional<std::filesystem::path>& executable,
                                  const Scratch& scratch, SignalSource& signals);

}  // namespace agentrun::host
