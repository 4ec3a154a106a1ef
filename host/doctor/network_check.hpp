#pragma once

#include "doctor/enclosure.hpp"
#include "doctor/finding.hpp"

namespace agentrun::host {

/// From inside: a host that is allowed is reached, and one that is not is refused for the right reason.
[[nodiscard]] Finding check_network(Enclosure& enclosure, const Examinee& examinee, const DoctorOptions& options,
                                    const Job& job, const Scratch& scratch, SignalSource& signals);

}  // namespace agentrun::host
