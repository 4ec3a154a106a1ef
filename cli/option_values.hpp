#pragma once
// What the values of options may be: setters for ArgumentParser.

#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "agentrun/host/options.hpp"
#include "cli/argument_parser.hpp"
#include "cli/output_format.hpp"

namespace agentrun::cli {

// The last value wins. Empty ones are refused: they come from a script's unset variable.
[[nodiscard]] Setter store(std::optional<std::string>& target);
[[nodiscard]] Setter store(std::optional<std::filesystem::path>& target);
[[nodiscard]] Setter append(std::vector<std::string>& target);
[[nodiscard]] Setter append(std::vector<std::filesystem::path>& target);

/// A whole number from 1 to `most` in plain digits.
[[nodiscard]] Setter store_count(std::optional<std::uint64_t>& target,
                                 std::uint64_t most = std::numeric_limits<std::uint64_t>::max());

[[nodiscard]] Setter store_sandbox_mode(std::optional<host::SandboxMode>& target);
[[nodiscard]] Setter store_network_mode(NetworkMode& target);
[[nodiscard]] Setter store_sni_check(SniCheck& target);
[[nodiscard]] Setter store_output_format(OutputFormat& target);
/// [a-z0-9-]+, as in the file name of a plugin: with a '/' it would lead to another directory.
[[nodiscard]] Setter store_backend(std::optional<std::string>& target);
[[nodiscard]] Setter append_host_rule(std::vector<HostRule>& target);
/// Errors tell which one it was by its number: what was written may be a secret.
[[nodiscard]] Setter append_variable(std::vector<host::EnvOption>& target);

/// [a-z0-9-]+
[[nodiscard]] bool is_plugin_name(std::string_view name) noexcept;

}  // namespace agentrun::cli
