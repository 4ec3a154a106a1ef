#pragma once
// doctor: what a run would meet on this machine, checked with the run's own code.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "agentrun/host/options.hpp"
#include "agentrun/host/run.hpp"

namespace agentrun::host {

struct DoctorOptions {
  std::vector<std::string> runtimes;
  /// All there are, rather than those that the user named: what does not fit one of them is left out, not refused.
  bool every_runtime = false;
  std::optional<std::string> model;
  SessionOptions session;  ///< cwd is where the user is: what is checked inside runs in a scratch directory
};

struct CheckResult {
  enum class Status { ok, failed, skipped };

  std::string runtime;
  std::string check;  ///< "executable", "login", "sandbox" or "network"
  Status status = Status::ok;
  std::string detail;  ///< of a failure: cause and remedy
};

/// Gets the results as they come.
class CheckReport {
 public:
  virtual ~CheckReport() = default;
  /// Before the first result: whom they will be about, in their order.
  virtual void begin(const std::vector<std::string>& runtimes) = 0;
  virtual void add(const CheckResult& result) = 0;
};

/// The exit code: 0 when nothing failed, 1, 2 for a refusal (told on standard error, nothing is reported), 128 + n
/// after signal n. Writes the logins that the caller passes in variables, as a run does.
[[nodiscard]] int run_doctor(const DoctorOptions& options, const Job& job, CheckReport& report);

/// The first argument by which agentrun, started inside a sandbox by doctor, knows that it is to look around there.
inline constexpr std::string_view probe_argument = "--doctor-probe";

/// What it does then, with the arguments behind that one. Needs nothing that main() prepares.
[[nodiscard]] int run_probe(const std::vector<std::string>& arguments);

}  // namespace agentrun::host
