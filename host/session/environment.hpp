#pragma once
// The environment of a session: which variables the runtime gets, and where each of them came from.

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "agentrun/environment.hpp"
#include "agentrun/host/options.hpp"
#include "agentrun/result.hpp"
#include "agentrun/runtime.hpp"

namespace agentrun::host {

/// Values are secrets: only names may be shown.
struct SessionEnvironment {
  /// The caller's, minus what the runtime must not inherit, plus each --env-file and then each --env; without any
  /// AGENTRUN_* (an agent that prints its environment would print a login).
  Environment environment;
  /// What --env-file and --env set, in the order of their first occurrence, without AGENTRUN_*.
  std::vector<std::string> given;
  /// Inherited variables that were dropped and not given again, in the order of their names.
  std::vector<std::string> removed;
  /// The caller's values of every dropped variable (DSH_HOME is still needed), given again or not.
  std::map<std::string, std::string> removed_values;
  /// The AGENTRUN_* variables that count, in the order of their names.
  std::vector<std::string> agentrun_variables;
  /// AGENTRUN_SANDBOX; absent when unset or empty.
  std::optional<std::string> sandbox_setting;
  /// The AGENTRUN_*_AUTH variables that are set and not empty: contents of login files.
  std::map<std::string, std::string> credentials;
};

/// Reads the env files. Refused: an env file that is missing, not a file, over 4 MiB, a pipe that stays silent,
/// or with a bad line; an --env whose name is no variable name; --env KEY that `caller` does not have.
[[nodiscard]] Result<SessionEnvironment> assemble_environment(const Environment& caller, const RuntimeTraits& traits,
                                                              const SessionOptions& options);

/// What is known only once the run is planned.
struct LastVariables {
  std::string path;  ///< SearchPath::text(); empty leaves PATH as it is
  std::filesystem::path session_directory;
  std::vector<Variable> runtime;            ///< Launch::variables; they may not be AGENTRUN_*
  bool sandboxed = true;                    ///< a backend confines the process or its commands
  bool process_confined = true;             ///< the process itself: else it keeps the caller's proxies
  std::optional<std::uint16_t> proxy_port;  ///< of the filter proxy on 127.0.0.1, when the run goes through it
};

/// Sets PATH, TMPDIR, TMP and TEMP, the runtime's variables, and in a sandbox the proxy variables (without a proxy:
/// removes the inherited ones) and the caches of npm and XDG below the session directory unless they were given:
/// the home is read-only there. Returns the names set, each once.
std::vector<std::string> apply_last(SessionEnvironment& session, const LastVariables& last);

}  // namespace agentrun::host
