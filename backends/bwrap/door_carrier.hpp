#pragma once
// The door: a helper makes the listening socket inside and the host serves it. Nothing relays in between.

#include <filesystem>

#include "carrier.hpp"

namespace agentrun::bwrap {

/// For every kind of network: without a proxy the helper only holds the start back.
class DoorCarrier final : public NetworkCarrier {
 public:
  explicit DoorCarrier(std::filesystem::path door) : door_(std::move(door)) {}
  [[nodiscard]] Result<std::vector<std::string>> before_command(const NetworkAccess& network) const override;

 private:
  std::filesystem::path door_;
};

}  // namespace agentrun::bwrap
