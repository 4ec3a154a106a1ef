#pragma once
// Which backend confines a run, and what is done when none can.

#include <optional>
#include <string>
#include <vector>

#include "agentrun/backend.hpp"
#include "agentrun/host/options.hpp"
#include "agentrun/host/plugins.hpp"
#include "run/setting.hpp"

namespace agentrun::host {

/// Whether the sandbox is started once before the run, or the run's own start stands for that where it can.
enum class SandboxCheck { before, by_start };

struct SandboxChoice {
  PluginHandle<Backend> backend;
  std::string name;
  BackendTraits traits;
  Readiness readiness;
  /// Why no sandbox runs although `relax` asked for one; empty otherwise.
  std::string missing;

  [[nodiscard]] bool running() const noexcept { return traits.confines; }
};

/// Who is to be confined.
struct BackendFit {
  std::string name;                   ///< the runtime, or "exec"
  std::vector<std::string> backends;  ///< those that fit, best first; empty: the platform's
  bool by_runtime = false;            ///< it starts the sandbox itself
};

/// The platform's backends, best first.
[[nodiscard]] std::vector<std::string> backend_chain();

/// Opens and checks backends until one works. A backend that was asked for and does not fit is a usage error. Refused
/// under SandboxMode::on when none does, with the first one's reason and remedy and the others' in short; under `relax`
/// the answer is then the backend "none".
[[nodiscard]] Result<SandboxChoice> choose_sandbox(const Setting& setting, const SessionOptions& options,
                                                   const BackendFit& fit, const PluginLibrary& plugins,
                                                   CheckServices& services, const CheckRequest& request);

}  // namespace agentrun::host
