#pragma once
// From a command to what is spawned: the backend's plan and the complete environment.

#include <string>
#include <vector>

#include "run/ground.hpp"

namespace agentrun::host {

struct Workload {
  std::vector<std::string> command;  ///< the first one is an absolute path
  std::vector<Variable> variables;
  std::vector<PlannedFile> files;    ///< written before the start
  std::size_t own_arguments_at = 0;  ///< see Launch
};

/// Lives as long as the run.
struct Confinement {
  Ground ground;
  SandboxPlan plan;
  Environment environment;  ///< complete
};

[[nodiscard]] Result<Confinement> confine(const Setting& setting, const SandboxChoice& sandbox,
                                          const SessionSpace& space, const Surroundings& surroundings, Ground ground,
                                          const Workload& workload);

}  // namespace agentrun::host
