// The whole command line, written out.

#include "bwrap_fixture.hpp"
#include "door_carrier.hpp"
#include "socat_carrier.hpp"
#include "system_call_filter.hpp"

namespace agentrun::bwrap {
namespace {

using ::testing::ElementsAreArray;

class BwrapWrapper : public BwrapPlanning {
 protected:
  [[nodiscard]] SandboxPlan plan(const Policy& policy, NetworkAccess access, const Findings& found,
                                 const NetworkCarrier* carrier = nullptr) const {
    auto made = wrap({policy, std::move(access), session, {"/bin/tool", "--flag", "two words"}}, found, {}, carrier);
    if (!made) throw std::runtime_error(describe(made.error()));
    return *std::move(made);
  }
  [[nodiscard]] Arguments writable_binds() const {
    Arguments binds{"--bind", session.native(), session.native(), "--bind", cwd.native(), cwd.native()};
    return binds;
  }

  const Arguments base{"/usr/bin/bwrap", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"};
  const Arguments command{"/bin/tool", "--flag", "two words"};
};

TEST_F(BwrapWrapper, CutsTheNetworkWithoutAShell) {
  const auto made = plan(built(builder()), network(NetworkAccess::Kind::cut), findings());
  EXPECT_THAT(
      made.argv,
      ElementsAreArray(concat({base,
                               writable_binds(),
                               {"--die-with-parent", "--unshare-net", "--unshare-pid", "--unshare-ipc",
                                "--unshare-user", "--disable-userns", "--seccomp", "3", "--chdir", cwd.native(), "--"},
                               command})));
}

TEST_F(BwrapWrapper, KeepsTheHostsNetworkWhenItIsOpen) {
  const auto made = plan(built(builder()), network(NetworkAccess::Kind::open), findings());
  EXPECT_THAT(made.argv,
              ElementsAreArray(concat({base,
                                       writable_binds(),
                                       {"--die-with-parent", "--unshare-pid", "--unshare-ipc", "--unshare-user",
                                        "--disable-userns", "--seccomp", "3", "--chdir", cwd.native(), "--"},
                                       command})));
}

TEST_F(BwrapWrapper, TakesRootsCapabilitiesAndItsHoldOnTheKernel) {
  Findings found = findings();
  found.host = {.root = true, .binfmt_misc = false};
  const auto made = plan(built(builder()), network(NetworkAccess::Kind::cut), found);
  EXPECT_THAT(made.argv,
              ElementsAreArray(
                  concat({base,
                          {"--ro-bind", "/proc/sys", "/proc/sys", "--ro-bind-try", "/proc/sysrq-trigger",
                           "/proc/sysrq-trigger", "--ro-bind-try", "/proc/acpi", "/proc/acpi", "--ro-bind-try",
                           "/proc/fs", "/proc/fs", "--ro-bind-try", "/proc/scsi", "/proc/scsi"},
                          writable_binds(),
                          {"--die-with-parent", "--unshare-net", "--unshare-pid", "--unshare-ipc", "--unshare-user",
                           "--disable-userns", "--cap-drop", "ALL", "--seccomp", "3", "--chdir", cwd.native(), "--"},
                          command})));
}

TEST_F(BwrapWrapper, LeavesOutWhatTheMachineRefused) {
  Findings found = findings();
  found.namespaces = {Users::own, false};
  const auto made = plan(built(builder()), network(NetworkAccess::Kind::cut), found);
  EXPECT_THAT(made.argv, ElementsAreArray(concat({base,
                                                  writable_binds(),
                                                  {"--die-with-parent", "--unshare-net", "--unshare-ipc",
                                                   "--unshare-user", "--seccomp", "3", "--chdir", cwd.native(), "--"},
                                                  command})));
}

TEST_F(BwrapWrapper, PutsTheCarrierBetweenTheSandboxAndTheCommand) {
  const SocatCarrier carrier("/usr/bin/socat");
  const auto made = plan(built(builder()),
                         {.kind = NetworkAccess::Kind::proxied, .port = 40123, .proxy_socket = session / "proxy.sock"},
                         findings(), &carrier);
  const auto shell = find(made.argv, {"--", "/bin/sh", "-c"});
  ASSERT_TRUE(shell);
  EXPECT_TRUE(find(made.argv, {"--unshare-net"}));
  EXPECT_THAT(Arguments(made.argv.begin() + static_cast<std::ptrdiff_t>(*shell) + 4, made.argv.end()),
              ElementsAreArray(concat(
                  {{"agentrun", "/usr/bin/socat", session.native(),
                    "TCP4-LISTEN:40123,bind=127.0.0.1,fork,reuseaddr,backlog=4096,nodelay", "UNIX-CONNECT:proxy.sock"},
                   command})));
}

TEST_F(BwrapWrapper, HandsTheFilterOverBehindTheGate) {
  const auto without = plan(built(builder()), network(NetworkAccess::Kind::cut), findings());
  ASSERT_EQ(without.inputs.size(), 1U);
  EXPECT_EQ(without.inputs.front().number, 3);
  EXPECT_EQ(without.inputs.front().content, system_call_filter(Loopback::own));
  Findings found = findings();
  found.door = "/lib/agentrun-bwrap-door";
  const DoorCarrier door(*found.door);
  const auto gated = plan(built(builder()), network(NetworkAccess::Kind::open), found, &door);
  ASSERT_EQ(gated.inputs.size(), 1U);
  EXPECT_EQ(gated.inputs.front().number, 5);
  EXPECT_EQ(gated.inputs.front().content, system_call_filter(Loopback::shared));
  EXPECT_TRUE(find(gated.argv, {"--seccomp", "5"}));
}

TEST_F(BwrapWrapper, SaysWhereTheCommandBegins) {
  const SocatCarrier carrier("/usr/bin/socat");
  const Policy policy = built(builder());
  const NetworkAccess proxied{
      .kind = NetworkAccess::Kind::proxied, .port = 40123, .proxy_socket = session / "proxy.sock"};
  for (const auto& made :
       {plan(policy, network(NetworkAccess::Kind::cut), findings()), plan(policy, proxied, findings(), &carrier)}) {
    ASSERT_LT(made.command_at, made.argv.size());
    EXPECT_THAT(Arguments(made.argv.begin() + static_cast<std::ptrdiff_t>(made.command_at), made.argv.end()),
                ElementsAreArray(command));
  }
}

TEST_F(BwrapWrapper, CountsTheInitOfAProcessNamespaceAsALevel) {
  Findings found = findings();
  EXPECT_EQ(plan(built(builder()), {}, found).depth, 2U);
  found.namespaces.processes = false;
  EXPECT_EQ(plan(built(builder()), {}, found).depth, 1U);
}

TEST_F(BwrapWrapper, RefusesAProxyThatTheCheckDidNotAskFor) {
  const Policy policy = built(builder());
  const auto made =
      wrap({policy, {.kind = NetworkAccess::Kind::proxied, .port = 1, .proxy_socket = "/s"}, session, {"/bin/true"}},
           findings(), {}, nullptr);
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().code, ErrorCode::unavailable);
}

TEST_F(BwrapWrapper, PassesOddPathNamesAsTheyAre) {
  const auto odd = testing::make_directory(root.path() / "-- a\nb\xff '\"$(id)");
  const auto hidden = testing::write_file(odd / "-secret\n", "x");
  const Policy policy = built(PolicyBuilder(odd).writable(session).hide(hidden));
  const auto made = plan(policy, network(NetworkAccess::Kind::cut), findings());
  EXPECT_TRUE(find(made.argv, {"--bind", odd.native(), odd.native()}));
  EXPECT_TRUE(find(made.argv, {"--ro-bind", "/dev/null", hidden.native()}));
  EXPECT_TRUE(find(made.argv, {"--chdir", odd.native(), "--"}));
}

}  // namespace
}  // namespace agentrun::bwrap
