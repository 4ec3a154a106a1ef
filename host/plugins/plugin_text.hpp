#pragma once
// How messages name plugins and files.

#include <filesystem>
#include <string>

#include "plugins/plugin_name.hpp"

namespace agentrun::host {

/// 'PATH'
[[nodiscard]] std::string quoted(const std::filesystem::path& path);

/// runtime plugin 'NAME'
[[nodiscard]] std::string described(const PluginName& plugin);

}  // namespace agentrun::host
