// The end of a run is the end of everything in it, and the command can be found to be signalled.

#include <signal.h>
#include <unistd.h>

#include <algorithm>

#include <fstream>

#include "backend_contract.hpp"
#include "backend_echo_server.hpp"

namespace agentrun::contract {
namespace {

using ::testing::HasSubstr;

class Processes : public BackendContract {
 protected:
  [[nodiscard]] bool has_own_processes() const { return !lacks("shares the process list"); }
  /// What a run leaves behind does not outlive the spawned process.
  [[nodiscard]] bool ends_them() const { return has_own_processes() || traits.kind == "landlock"; }
};
INSTANTIATE_TEST_SUITE_P(Backends, Processes, ::testing::ValuesIn(confining_variants()), variant_name);

pid_t oldest_child(pid_t pid) {
  const std::string task = std::to_string(pid);
  std::ifstream file("/proc/" + task + "/task/" + task + "/children");
  pid_t child = 0;
  file >> child;
  return child;
}

std::string command_line(pid_t pid) {
  std::string text = testing::read_file("/proc/" + std::to_string(pid) + "/cmdline");
  std::replace(text.begin(), text.end(), '\0', ' ');
  return text;
}

TEST_P(Processes, PutTheCommandAsManyLevelsDownAsThePlanSays) {
  const testing::BackendEchoServer proxy(session / "proxy.sock");
  const Policy policy = built(builder());
  for (const NetworkAccess& access : {network(NetworkAccess::Kind::cut), proxied()}) {
    const auto planned = plan(policy, access, {"/bin/sh", "-c", "echo ready; exec sleep 1000"});
    const auto process = start(planned);
    ASSERT_TRUE(process->said("ready"));
    pid_t pid = process->pid();
    for (unsigned level = 0; level < planned.depth; ++level) pid = oldest_child(pid);
    ASSERT_GT(pid, 0);
    // The shell replaces itself after it has said so.
    for (int i = 0; i < 2000 && command_line(pid) != "sleep 1000 "; ++i) ::usleep(5000);
    EXPECT_EQ(command_line(pid), "sleep 1000 ");
    ::kill(pid, SIGTERM);
    EXPECT_EQ(process->wait().code, 128 + SIGTERM);
  }
}

TEST_P(Processes, DieWithTheSpawnedOne) {
  const testing::BackendEchoServer proxy(session / "proxy.sock");
  const Policy policy = built(builder());
  const auto process = start(plan(policy, proxied(), {"/bin/sh", "-c", "sleep 1000 & echo ready; wait"}));
  ASSERT_TRUE(process->said("ready"));
  process->kill(SIGKILL);
  if (!ends_them()) {
    // Only the command dies with bwrap; the host kills the rest of the group.
    ::kill(-process->pid(), SIGKILL);
  }
  EXPECT_TRUE(process->wait().out_ended);
}

TEST_P(Processes, CannotOutliveTheRunInASessionOfTheirOwn) {
  if (!ends_them()) GTEST_SKIP() << "needs a process namespace or a guard";
  const Policy policy = built(builder());
  const char* script =
      "setsid sh -c '(trap \"\" TERM HUP INT; sleep 1000) & exec sleep 1000' & echo ready; exec sleep 1000";
  const auto process = start(plan(policy, network(NetworkAccess::Kind::cut), {"/bin/sh", "-c", script}));
  ASSERT_TRUE(process->said("ready"));
  process->kill(SIGKILL);
  EXPECT_TRUE(process->wait().out_ended);
}

TEST_P(Processes, AreAllGoneWhenTheCommandEnds) {
  if (!ends_them()) GTEST_SKIP() << "needs a process namespace or a guard";
  const auto exited = shell(builder(), "setsid sleep 1000 & sleep 1000 & exit 7");
  EXPECT_EQ(exited.code, 7);
  EXPECT_TRUE(exited.out_ended);
}

TEST_P(Processes, CannotSeeOrSignalTheHosts) {
  if (!has_own_processes()) GTEST_SKIP() << "needs a process namespace";
  const auto exited =
      shell(builder(), "kill -0 \"$1\"; test -d /proc/\"$1\" && echo seen", {std::to_string(::getpid())});
  EXPECT_EQ(exited.out, "");
  EXPECT_THAT(exited.err, HasSubstr("No such process"));
}

TEST_P(Processes, SayWhenTheyShareTheHostsList) {
  const auto& refused = GetParam().refused;
  const bool shared =
      traits.kind == "landlock" || std::find(refused.begin(), refused.end(), "--unshare-pid") != refused.end();
  EXPECT_EQ(lacks("shares the process list"), shared);
}

}  // namespace
}  // namespace agentrun::contract
