#pragma once
// Starting the planned command, through its gate where it has one.

#include <sys/types.h>

#include <optional>

#include "process/gate_keeper.hpp"
#include "process/signals.hpp"
#include "process/spawn.hpp"
#include "run/confinement.hpp"

namespace agentrun::host {

/// The command begins; lives until the run ends.
struct Launched {
  pid_t pid = -1;
  std::optional<GateKeeper> keeper;  ///< holds the wrapper's own standard error open
};

/// How often a start is tried when the sandbox does not stand although its check says that it can.
inline constexpr int start_attempts = 8;

struct LaunchError {
  Error error;
  bool at_gate = false;  ///< the sandbox did not stand: nothing of the command has run, and nothing is left
};

/// `request` has the command's streams and environment. The listener from inside goes to the confinement's proxy.
[[nodiscard]] tl::expected<Launched, LaunchError> launch(SpawnRequest request, Confinement& confinement,
                                                         SignalSource& signals);

}  // namespace agentrun::host
