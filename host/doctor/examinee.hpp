#pragma once
// A runtime that is to be examined: what a run of it would start from.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "agentrun/host/doctor.hpp"
#include "process/check_runner.hpp"
#include "process/signals.hpp"
#include "run/sandbox_choice.hpp"
#include "run/setting.hpp"

namespace agentrun::host {

/// What one outside command may take.
inline constexpr std::chrono::seconds command_limit{30};

struct Examinee {
  std::string name;
  PluginHandle<Runtime> runtime;
  RuntimeTraits traits;
  RunArguments arguments;
  std::optional<Error> model_refusal;  ///< the model is none for this runtime, and was left out of `arguments`
  Setting setting;
  Result<SandboxChoice> sandbox;
  std::filesystem::path plugin_directory;
};

/// Why there is none.
struct Unfit {
  Error error;
  bool broken_plugin = false;  ///< the machine is at fault, not the command line
};

/// Opens the runtime and chooses its sandbox as a run does. ErrorCode::usage as the error of `sandbox`: the backend
/// does not fit.
[[nodiscard]] tl::expected<Examinee, Unfit> open_examinee(const std::string& name, const DoctorOptions& options,
                                                          const Job& job, SignalSource& signals);

/// What a program outside the sandbox gets: the session's environment with PATH, and temporary files in `scratch`.
[[nodiscard]] Environment outside_environment(const Setting& setting, const std::filesystem::path& scratch);

/// For one command, or some that take `command_limit` together.
[[nodiscard]] CheckRunner outside_commands(const Setting& setting, const std::filesystem::path& scratch,
                                           SignalSource& signals);

}  // namespace agentrun::host
