#pragma once
// The file .env in the working directory: dsh reads it at every start, and some names in it keep it from starting.

#include <filesystem>
#include <optional>
#include <string>

namespace agentrun::dsh {

/// The first variable of the file that dsh 0.1.0-rc.8 takes from its environment only. Nothing when there is none, or
/// when the file cannot be read.
[[nodiscard]] std::optional<std::string> refused_variable(const std::filesystem::path& file);

}  // namespace agentrun::dsh
