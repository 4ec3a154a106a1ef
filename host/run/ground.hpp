#pragma once
// What a command stands on: the policy from what a run needs and what a user allows, and the proxy that keeps it.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "agentrun/host/run.hpp"
#include "agentrun/policy.hpp"
#include "agentrun/proxy/proxy.hpp"
#include "agentrun/runtime.hpp"
#include "run/network_feed.hpp"
#include "run/sandbox_choice.hpp"
#include "run/session_space.hpp"
#include "run/setting.hpp"

namespace agentrun::host {

/// What is to be confined, before its command is known.
struct Surroundings {
  Needs needs;
  std::string login_reader;      ///< the runtime whose own login stays readable; empty for none
  bool confines_itself = false;  ///< the backend does not wrap the process
};

/// Lives as long as the run.
struct Ground {
  Policy policy;
  std::unique_ptr<proxy::Proxy> proxy;  ///< null when nothing goes through it
  NetworkAccess access;
  bool network_enforced = false;
  std::optional<std::string> note;          ///< what is weaker than asked for
  std::vector<std::string> upstream_notes;  ///< proxies of the caller that are not used
};

[[nodiscard]] Result<Ground> prepare_ground(const Setting& setting, const SessionOptions& options,
                                            const SandboxChoice& sandbox, const SessionSpace& space,
                                            const Surroundings& surroundings, const Job& job, NetworkFeed& feed);

}  // namespace agentrun::host
