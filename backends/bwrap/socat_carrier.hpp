#pragma once
// The proxy carried in by a relay: socat listens inside and connects to the proxy's unix socket, which a network
// namespace does not hide.

#include <filesystem>

#include "carrier.hpp"

namespace agentrun::bwrap {

class SocatCarrier final : public NetworkCarrier {
 public:
  explicit SocatCarrier(std::filesystem::path socat) : socat_(std::move(socat)) {}

  /// Refuses a socket name that socat's address language would not take literally. Its directory may have any name.
  [[nodiscard]] Result<std::vector<std::string>> before_command(const NetworkAccess& network) const override;

 private:
  std::filesystem::path socat_;
};

}  // namespace agentrun::bwrap
