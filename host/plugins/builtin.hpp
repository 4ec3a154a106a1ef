#pragma once
// The plugins that were built into the executable (AGENTRUN_STATIC_PLUGINS); the search meets them last.

#include <vector>

#include "agentrun/plugin.hpp"

namespace agentrun::host {

[[nodiscard]] std::vector<const AgentrunPluginDescriptor*> builtin_plugins();

}  // namespace agentrun::host
