#pragma once
// agentrun's side of a Gate: waits until the sandbox stands, takes what is passed out, lets the command begin.

#include <chrono>
#include <optional>
#include <string>

#include "agentrun/backend.hpp"
#include "process/signals.hpp"
#include "process/spawn.hpp"
#include "system/descriptor.hpp"

namespace agentrun::host {

class GateKeeper {
 public:
  [[nodiscard]] static Result<GateKeeper> make();

  /// Puts the gate's descriptors into `request`: the command's standard error moves to Gate::standard_error, the
  /// wrapper's own comes here.
  void add_to(SpawnRequest& request) const;

  /// After the spawn. A valid descriptor is the listening socket from inside. ErrorCode::unavailable with the
  /// wrapper's own words when the sandbox does not stand within `limit`, ErrorCode::interrupted after a signal.
  [[nodiscard]] Result<Descriptor> wait(SignalSource& signals, std::chrono::milliseconds limit);

  void let_in() noexcept;

 private:
  GateKeeper() = default;
  [[nodiscard]] std::string first_error_line() const;

  Descriptor ours_;
  Descriptor theirs_;
  Pipe error_;
};

}  // namespace agentrun::host
