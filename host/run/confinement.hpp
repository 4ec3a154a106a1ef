#pragma once
// From what a run needs and what a user allows to the command that is spawned: session directory, policy, proxy, plan.

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "agentrun/host/run.hpp"
#include "agentrun/policy.hpp"
#include "agentrun/proxy/proxy.hpp"
#include "run/network_feed.hpp"
#include "run/sandbox_choice.hpp"
#include "run/setting.hpp"
#include "session/session_directory.hpp"

namespace agentrun::host {

/// The session directory (left in place under --debug), or its name in a dry run.
class SessionSpace {
 public:
  /// Under --dry-run nothing is created.
  [[nodiscard]] static Result<SessionSpace> make(const SessionOptions& options, const Caller& caller);

  [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }
  [[nodiscard]] const std::filesystem::path& parent() const noexcept { return parent_; }
  [[nodiscard]] bool exists() const noexcept { return directory_.has_value(); }
  /// At the end of the run. Says what could not be removed.
  [[nodiscard]] Result<void> remove();

 private:
  std::filesystem::path path_;
  std::filesystem::path parent_;
  std::optional<SessionDirectory> directory_;
};

/// What is to run, and what it needs from its surroundings.
struct Workload {
  std::vector<std::string> command;  ///< the first one is an absolute path
  std::vector<Variable> variables;
  ServiceHosts services;
  std::optional<StateDirectory> state;
  std::vector<std::filesystem::path> hide;
  std::vector<RequiredDirectory> required;
  std::string login_reader;  ///< the runtime whose own login stays readable; empty for none
};

/// Lives as long as the run.
struct Confinement {
  Policy policy;
  std::unique_ptr<proxy::Proxy> proxy;  ///< null when the network is cut or open
  NetworkAccess access;
  bool network_enforced = false;
  std::optional<std::string> note;  ///< what is weaker than asked for
  SandboxPlan plan;
  Environment environment;  ///< complete
};

[[nodiscard]] Result<Confinement> confine(const Setting& setting, const SessionOptions& options,
                                          const SandboxChoice& sandbox, const SessionSpace& space,
                                          const Workload& workload, const Job& job, NetworkFeed& feed);

}  // namespace agentrun::host
