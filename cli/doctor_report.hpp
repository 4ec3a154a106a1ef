#pragma once
// What `agentrun doctor` prints.

#include <memory>

#include "agentrun/host/doctor.hpp"
#include "cli/console.hpp"

namespace agentrun::cli {

class DoctorReport : public host::CheckReport {
 public:
  /// At the end, or after a signal. Fails when nobody can read what was printed.
  [[nodiscard]] virtual Result<void> finish() = 0;
};

/// Lines of status, runtime, check and detail in aligned columns, each as soon as it is known; or one JSON array of
/// {runtime, check, status, detail} at the end. Nothing when no check began.
[[nodiscard]] std::unique_ptr<DoctorReport> make_doctor_report(bool json, Console& console);

}  // namespace agentrun::cli
