#pragma once
// Everything that is decided and made before an agent's process starts.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "agentrun/host/run.hpp"
#include "agentrun/runtime.hpp"
#include "process/signals.hpp"
#include "record/saved_session.hpp"
#include "run/confinement.hpp"
#include "run/network_feed.hpp"
#include "run/raw_file.hpp"
#include "run/sandbox_choice.hpp"
#include "run/setting.hpp"

namespace agentrun::host {

/// Members in the order in which they depend on one another.
struct AgentPlan {
  Setting setting;
  SessionSpace space;
  PluginHandle<Runtime> runtime;
  RuntimeTraits traits;
  std::string prompt;
  SandboxChoice sandbox;
  Surroundings surroundings;
  std::optional<SavedSession> saved;  ///< where the record goes
  Launch launch;
  std::unique_ptr<Translator> translator;
  Confinement confinement;
  std::vector<std::string> shown_argv;  ///< of the whole command, "<prompt N bytes>" for the prompt
  std::vector<RawFile> raw;
};

/// Creates nothing under --dry-run. ErrorCode::interrupted after an ending signal; every other error is a refusal.
[[nodiscard]] Result<AgentPlan> plan_agent(const RunOptions& options, const Job& job, SandboxCheck check,
                                           SignalSource& signals, NetworkFeed& feed);

}  // namespace agentrun::host
