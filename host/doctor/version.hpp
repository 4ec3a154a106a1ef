#pragma once
// Version numbers of the agents' executables.

#include <optional>
#include <string>
#include <string_view>

namespace agentrun::host {

/// The first version in what a program prints, like "2.1.332" in "2.1.332 (Claude Code)" and "0.1.0-rc.8" in
/// "v0.1.0-rc.8": numbers with a dot between them, with what "-" adds. Nothing when there is none.
[[nodiscard]] std::optional<std::string> find_version(std::string_view output);

/// By the precedence of semantic versions (semver.org, 11): 1.0.0-rc.8 < 1.0.0-rc.10 < 1.0.0 < 1.0.1. Both as
/// find_version() gives them; a missing number counts as 0.
[[nodiscard]] bool older(std::string_view version, std::string_view than);

}  // namespace agentrun::host
