#pragma once
// Where plugins are looked for, and which file is the hit.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "agentrun/environment.hpp"
#include "agentrun/host/plugins.hpp"
#include "plugins/plugin_name.hpp"

namespace agentrun::host {

struct SearchFacts {
  const Environment& caller;
  std::filesystem::path executable;   ///< agentrun's own file, links resolved
  std::filesystem::path compiled_in;  ///< the directory of the installation
  bool elevated = false;              ///< set-user-id: the caller's environment is not followed
};

/// Absolute directories in search order, without duplicates; they need not exist.
[[nodiscard]] std::vector<std::filesystem::path> search_directories(const SearchFacts& facts);

/// The first entry of that name, of whatever type: it ends the search even if it fails later.
[[nodiscard]] PluginResult<std::filesystem::path> find_plugin(const std::vector<std::filesystem::path>& directories,
                                                              const PluginName& plugin);

/// Entries of one directory that are named like plugins, sorted by file name.
[[nodiscard]] std::vector<std::filesystem::path> plugin_files(const std::filesystem::path& directory);

}  // namespace agentrun::host
