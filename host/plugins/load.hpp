#pragma once
// The one room for Boost.DLL: from a file that has been judged to its descriptor.

#include <filesystem>

#include "agentrun/host/plugins.hpp"
#include "plugins/plugin_name.hpp"

namespace agentrun::host {

/// `file` is absolute and without links. The module stays loaded until the process ends. Runs the static constructors
/// of the plugin; everything else waits for the descriptor's functions.
[[nodiscard]] PluginResult<const AgentrunPluginDescriptor*> load_descriptor(const std::filesystem::path& file);

/// Decides whether a descriptor may be used. Pure.
[[nodiscard]] PluginResult<void> judge_descriptor(const AgentrunPluginDescriptor& descriptor, const PluginName& wanted);

}  // namespace agentrun::host
