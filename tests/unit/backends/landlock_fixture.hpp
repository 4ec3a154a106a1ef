#pragma once
// Runs programs inside the limits of the helper, and outside for comparison.

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "backend_echo_server.hpp"
#include "backend_files.hpp"
#include "backend_process.hpp"
#include "backend_services.hpp"
#include "landlock_backend.hpp"

namespace agentrun::landlock {

using ::testing::HasSubstr;
using ::testing::Not;

class Sandboxed : public ::testing::Test {
 protected:
  void SetUp() override { check(this_kernel()); }

  /// As on a kernel that offers less: the helper uses no more than the plan says.
  void check(const Kernel& kernel) {
    backend = LandlockBackend(kernel);
    testing::BackendServices services({}, true);
    const auto checked = backend.check(services, {.proxied = true, .plugin_directory = AGENTRUN_PLUGIN_DIRECTORY});
    if (!checked && std::getenv("AGENTRUN_REQUIRE_ALL") == nullptr) GTEST_SKIP() << describe(checked.error());
    ASSERT_TRUE(checked) << describe(checked.error());
    missing = checked->enforcement.missing;
  }
  [[nodiscard]] bool lacks(const std::string& phrase) const {
    return std::find(missing.begin(), missing.end(), phrase) != missing.end();
  }

  [[nodiscard]] std::vector<std::string> argv(std::vector<std::string> command) const {
    PolicyBuilder builder(cwd);
    const Policy policy = builder.writable(session).build().value();
    NetworkAccess access;
    if (proxy) access = {NetworkAccess::Kind::proxied, proxy->port(), {}};
    const auto plan = backend.plan({policy, access, session, std::move(command)});
    std::vector<std::string> line = launcher;
    line.insert(line.end(), plan.value().argv.begin(), plan.value().argv.end());
    return line;
  }
  [[nodiscard]] testing::Exited run(std::vector<std::string> command) const {
    return testing::BackendProcess(argv(std::move(command)), {environment, {}}).wait();
  }
  [[nodiscard]] testing::Exited shell(std::string script, std::vector<std::string> parameters = {}) const {
    std::vector<std::string> command{"/bin/sh", "-c", std::move(script), "sh"};
    command.insert(command.end(), parameters.begin(), parameters.end());
    return run(std::move(command));
  }
  /// What landlock_attack says inside.
  [[nodiscard]] std::string attack(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), AGENTRUN_LANDLOCK_ATTACK);
    const auto exited = run(std::move(arguments));
    return exited.out + exited.err;
  }
  /// The control: what it says outside.
  [[nodiscard]] std::string outside_of_it(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), AGENTRUN_LANDLOCK_ATTACK);
    const auto exited = testing::BackendProcess(arguments, {environment, {}}).wait();
    return exited.out + exited.err;
  }

  testing::TempDir stage;
  std::filesystem::path cwd = stage.make("work");
  std::filesystem::path session = stage.make("agentrun-1");
  std::filesystem::path outside = stage.make("outside");
  std::unique_ptr<testing::BackendEchoServer> proxy;
  std::vector<std::string> launcher;
  std::vector<std::string> environment{"PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME=" + cwd.native(),
                                       "TMPDIR=" + session.native()};
  LandlockBackend backend;
  std::vector<std::string> missing;
};

}  // namespace agentrun::landlock
