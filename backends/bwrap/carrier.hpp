#pragma once
// How the proxy's socket reaches the inside of a network namespace that has only a loopback of its own.

#include <string>
#include <vector>

#include "agentrun/backend.hpp"
#include "agentrun/result.hpp"

namespace agentrun::bwrap {

class NetworkCarrier {
 public:
  virtual ~NetworkCarrier() = default;

  /// The arguments to put in front of the command. They run inside the sandbox and become the command (same process)
  /// once 127.0.0.1:`network.port` accepts connections there.
  [[nodiscard]] virtual Result<std::vector<std::string>> before_command(const NetworkAccess& network) const = 0;
};

}  // namespace agentrun::bwrap
