#pragma once
// What a runtime plans from, in a directory of its own. Set the members, then ask for a context.

#include <string>

#include "agentrun/runtime.hpp"
#include "no_services.hpp"
#include "temp_dir.hpp"

namespace agentrun::testing {

struct Planning {
  TempDir root;
  RunArguments arguments;
  std::string prompt = "do it";
  Environment environment;
  std::vector<std::filesystem::path> images;
  std::vector<std::filesystem::path> homes;
  NetworkAccess network;
  bool sandboxed = true;
  bool login_given = false;
  std::string search_path;
  NoServices services;
  std::filesystem::path work = root.make("work");
  std::filesystem::path session = root.make("session");
  Policy policy = policy_with({});

  /// The policy of the working directory and the session directory.
  [[nodiscard]] Policy policy_with(NetworkPolicy rules,
                                   const std::vector<std::filesystem::path>& deny_read = {}) const {
    PolicyBuilder builder(work);
    builder.writable(session).network(std::move(rules));
    for (const auto& path : deny_read) builder.deny_read(path.native(), work);
    return builder.build().value();
  }

  [[nodiscard]] NeedsContext needs() {
    return {arguments, environment, services, "/usr/bin/agent", work, root / "lib/plugins", policy.network().mode(),
            sandboxed, login_given};
  }
  [[nodiscard]] LaunchContext launch() {
    return {arguments,
            prompt,
            environment,
            policy,
            services,
            network,
            "/usr/bin/agent",
            work,
            session,
            root / "lib/plugins",
            images,
            homes,
            "00000000-0000-4000-8000-000000000000",
            sandboxed,
            search_path};
  }
};

}  // namespace agentrun::testing
