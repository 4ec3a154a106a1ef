#pragma once
// Putting the system call filter in place.

#include "options.hpp"

namespace agentrun::landlock {

/// Returns the descriptor at which supervised calls arrive; -1 when the network is open and nothing is supervised.
[[nodiscard]] int install_filter(const Options& options);

}  // namespace agentrun::landlock
