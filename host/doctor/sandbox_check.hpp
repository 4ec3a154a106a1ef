#pragma once

#include <filesystem>
#include <optional>

#include "doctor/enclosure.hpp"
#include "doctor/finding.hpp"

namespace agentrun::host {

/// Why there is no sandbox to look into: it is off, missing under `relax`, or refused.
[[nodiscard]] std::optional<Finding> no_sandbox(const Examinee& examinee);

/// Whether the sandbox holds: a command runs in it, writes inside and not outside, and cannot read what is denied. A
/// runtime that is wrapped whole starts in it, too.
[[nodiscard]] Finding check_sandbox(Enclosure& enclosure, const Examinee& examinee,
                                    const std::optional<std::filesystem::path>& executable, const Job& job,
                                    const Scratch& scratch);

}  // namespace agentrun::host
