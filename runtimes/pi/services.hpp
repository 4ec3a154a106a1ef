#pragma once
// Which host pi's model service uses: told before the run, from what was asked for and what pi is configured with.

#include <filesystem>
#include <optional>
#include <string>

#include "agentrun/runtime.hpp"

namespace agentrun::pi {

/// By the provider of `model`, else by pi's default one: its base URL in models.json, else the built-in one's host.
[[nodiscard]] ServiceHosts service_hosts(const std::optional<std::string>& model,
                                         const std::filesystem::path& state_directory);

}  // namespace agentrun::pi
