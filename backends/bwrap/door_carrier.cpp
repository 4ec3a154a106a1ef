#include "door_carrier.hpp"

namespace agentrun::bwrap {

Result<std::vector<std::string>> DoorCarrier::before_command(const NetworkAccess& network) const {
  if (network.kind != NetworkAccess::Kind::proxied) return std::vector<std::string>{door_.native()};
  return std::vector<std::string>{door_.native(), "-p", port_text(network)};
}

}  // namespace agentrun::bwrap
