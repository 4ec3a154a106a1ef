#pragma once
// What a job stands on before anything is created: directory, environment, search path, sandbox mode.

#include <filesystem>
#include <vector>

#include "agentrun/host/options.hpp"
#include "session/environment.hpp"
#include "session/search_path.hpp"

namespace agentrun::host {

struct Setting {
  std::filesystem::path cwd;  ///< absolute, as the user named it
  SessionEnvironment environment;
  SearchPath search;
  SandboxMode mode = SandboxMode::on;

  /// What the agent may write, as far as it is known before the session directory exists.
  [[nodiscard]] std::vector<std::filesystem::path> writable() const { return {cwd}; }
};

[[nodiscard]] Result<Setting> make_setting(const SessionOptions& options, const RuntimeTraits& traits,
                                           const Caller& caller);

}  // namespace agentrun::host
