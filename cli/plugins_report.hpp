#pragma once
// What `agentrun plugins` prints.

#include <string>
#include <vector>

#include "agentrun/host/plugins.hpp"

namespace agentrun::cli {

/// Columns kind, name, version, file and status under a heading. The status is "ok", "shadowed" by an earlier
/// directory, or the stage at which it would be refused and why.
[[nodiscard]] std::string plugins_table(const std::vector<host::PluginListing>& listings);

/// One array of {kind, name, version, file, abi, trusted, shadowed, usable, stage, reason}; what is not known or does
/// not apply is null.
[[nodiscard]] std::string plugins_json(const std::vector<host::PluginListing>& listings);

}  // namespace agentrun::cli
