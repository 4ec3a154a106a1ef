#pragma once
// The names of plugins and of their files.

#include <optional>
#include <string>
#include <string_view>

#include "agentrun/plugin.hpp"
#include "agentrun/result.hpp"

namespace agentrun::host {

struct PluginName {
  PluginKind kind = PluginKind::backend;
  std::string name;

  friend bool operator==(const PluginName&, const PluginName&) = default;
};

/// "agentrun-backend-bwrap.so", on Linux and macOS alike.
[[nodiscard]] std::string file_name_of(const PluginName& plugin);

/// Nothing when the file is not named like a plugin. The name it finds may still be refused by check_name().
[[nodiscard]] std::optional<PluginName> parse_file_name(std::string_view file_name);

/// [a-z0-9-]+, and for a runtime not one of agentrun's own sub-commands.
[[nodiscard]] Result<void> check_name(const PluginName& plugin);

}  // namespace agentrun::host
