#pragma once
// The names of what a run puts into the temporary directory. Strict on purpose: a directory that a user called
// "agentrun-data" is nobody's leftover.

#include <optional>
#include <string>
#include <string_view>

#include "agentrun/result.hpp"

namespace agentrun::host {

enum class SessionEntry { directory, companion, mark };

struct SessionName {
  std::string id;  ///< 16 lower-case hexadecimal digits
  SessionEntry entry = SessionEntry::directory;
};

[[nodiscard]] Result<std::string> random_session_id();

[[nodiscard]] std::string session_directory_name(std::string_view id);
[[nodiscard]] std::string session_companion_name(std::string_view id, std::string_view name);
/// Of the file that says: kept.
[[nodiscard]] std::string session_mark_name(std::string_view id);

/// One of the three names above; nothing for every other name.
[[nodiscard]] std::optional<SessionName> parse_session_name(std::string_view name);

/// Lower-case letters only.
[[nodiscard]] bool is_companion_name(std::string_view name) noexcept;

}  // namespace agentrun::host
