#pragma once
// Login files that the caller passes in a variable, for containers where nobody has logged in.

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "agentrun/environment.hpp"
#include "agentrun/result.hpp"
#include "session/environment.hpp"

namespace agentrun::host {

/// Where a runtime keeps its login file `auth.json`.
struct LoginFile {
  std::string variable;           ///< holds its content: "AGENTRUN_PI_AUTH"
  std::string home_variable;      ///< names its directory: "PI_CODING_AGENT_DIR"
  std::string default_directory;  ///< below HOME when that is unset or empty: ".pi/agent"
};

/// The one of a runtime ("codex", "pi"); nothing for runtimes that take no login from a variable.
[[nodiscard]] std::optional<LoginFile> login_file_of(std::string_view runtime);

/// The path of `auth.json` under the assembled session environment, relative values from `cwd`. Refused when neither
/// the home variable nor HOME is set.
[[nodiscard]] Result<std::filesystem::path> login_path(const LoginFile& login, const Environment& session,
                                                       const std::filesystem::path& cwd);

struct WrittenCredentials {
  std::string variable;
  std::filesystem::path path;
  bool written = false;  ///< false: this value was written before, and the runtime may have refreshed it since
};

/// Writes the variable's value to the login file, with a note of its SHA-256 beside it (auth.json.agentrun-sha256).
/// Nothing when the variable is not set. Left alone when the file exists and the note has the value's hash.
/// Parallel runs take turns (flock on the directory, at most 10 s), and files change by rename only: there is always
/// one whole login, and a note only where it matches what was written. A refusal names variable and path, never the
/// value.
[[nodiscard]] Result<std::optional<WrittenCredentials>> write_credentials(const LoginFile& login,
                                                                          const SessionEnvironment& session,
                                                                          const std::filesystem::path& cwd);

}  // namespace agentrun::host
