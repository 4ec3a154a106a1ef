#pragma once
// Whole files.

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "agentrun/result.hpp"
#include "system/descriptor.hpp"

namespace agentrun::host {

/// 0, or the errno value of the write that failed.
[[nodiscard]] int write_all(int descriptor, std::string_view bytes);

/// Makes a new file with exactly this mode. Refused when something has that name, a dangling link too: what the
/// agent may have put there is neither followed nor overwritten.
[[nodiscard]] Result<void> write_file(const std::filesystem::path& path, std::string_view content,
                                      std::uint32_t mode = 0600);

/// A file without a name that holds `content`, at its beginning; closes on exec.
[[nodiscard]] Result<Descriptor> memory_file(std::string_view content);

}  // namespace agentrun::host
