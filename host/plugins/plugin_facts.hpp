#pragma once
// The plain bytes that the macros of plugin.hpp put into a plugin's file.

#include <optional>
#include <string>
#include <string_view>

namespace agentrun::host {

struct PluginFacts {
  std::string kind;
  std::string name;
  std::string version;
  std::string abi;
  std::string sdk;  ///< the version of the headers it was built with
};

/// Nothing when the section does not start as one of agentrun's. Unknown keys are left out, missing ones stay empty;
/// bytes that could disturb a terminal become '?'.
[[nodiscard]] std::optional<PluginFacts> parse_facts(std::string_view section);

}  // namespace agentrun::host
