#pragma once
// session.json: what a saved session says about itself.

#include <filesystem>
#include <optional>
#include <string>

#include "agentrun/result.hpp"

namespace agentrun::host {

struct SessionNote {
  std::string id;
  std::string runtime;
  std::string cwd;
  std::string created;  ///< of the first run; RFC 3339, UTC, milliseconds
  std::optional<std::string> model;
  std::string status;    ///< of the last run
  std::string agentrun;  ///< the version that wrote it
};

/// One JSON object and a newline.
[[nodiscard]] std::string to_json(const SessionNote& note);

/// Refused when the file is missing, over 64 KiB or not such an object.
[[nodiscard]] Result<SessionNote> read_note(const std::filesystem::path& file);

/// The current time as `created` has it.
[[nodiscard]] std::string note_time();

}  // namespace agentrun::host
