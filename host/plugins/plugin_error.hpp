#pragma once
// Short ways to fail at a stage.

#include <string>

#include "agentrun/host/plugins.hpp"

namespace agentrun::host {

[[nodiscard]] tl::unexpected<PluginError> failed_at(PluginStage stage, Error error);
[[nodiscard]] tl::unexpected<PluginError> failed_at(PluginStage stage, ErrorCode code, std::string message,
                                                    std::string hint);

}  // namespace agentrun::host
