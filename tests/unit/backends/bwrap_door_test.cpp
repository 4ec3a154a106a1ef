// The helper that holds a start back: when it is used, and the command line with it.

#include <map>

#include "bwrap_fixture.hpp"
#include "door_carrier.hpp"

namespace agentrun::bwrap {
namespace {

using Kind = NetworkAccess::Kind;

/// A machine on which nothing may be started.
class Idle final : public CheckServices {
 public:
  [[nodiscard]] std::optional<std::filesystem::path> find_tool(std::string_view name) const override {
    if (name == "bwrap") return "/usr/bin/bwrap";
    return std::nullopt;
  }
  [[nodiscard]] CheckRun run(const CheckCommand&) override {
    ++runs;
    return {.exit_code = 0, .output = {}, .error = {}};
  }
  [[nodiscard]] bool root() const noexcept override { return false; }
  int runs = 0;
};

class BwrapDoor : public BwrapPlanning {
 protected:
  void install(std::filesystem::perms mode) const {
    root.write("lib/agentrun-bwrap-door", "");
    std::filesystem::permissions(root / "lib/agentrun-bwrap-door", mode);
  }
  [[nodiscard]] CheckRequest request() const {
    CheckRequest made;
    made.proxied = true;
    made.by_start = true;
    made.plugin_directory = root / "lib/plugins";
    return made;
  }
  Idle machine;
};

TEST_F(BwrapDoor, StartsNothingAndNeedsNoSocatWhenTheStartIsTheCheck) {
  install(std::filesystem::perms::owner_all);
  const auto checked = check(machine, request(), {"6.1.0", false});
  ASSERT_TRUE(checked);
  EXPECT_TRUE(checked->readiness.by_start);
  EXPECT_FALSE(checked->readiness.by_socket);
  EXPECT_EQ(checked->findings.door, root / "lib/agentrun-bwrap-door");
  EXPECT_EQ(checked->findings.socat, std::nullopt);
  EXPECT_EQ(machine.runs, 0);
}

TEST_F(BwrapDoor, IsNoHelpToARuntimeThatStartsTheSandboxItself) {
  install(std::filesystem::perms::owner_all);
  CheckRequest by_runtime = request();
  by_runtime.by_start = false;
  by_runtime.by_runtime = true;
  const auto checked = check(machine, by_runtime, {"6.1.0", false});
  ASSERT_FALSE(checked);
  EXPECT_THAT(checked.error().message, ::testing::HasSubstr("socat not found"));
}

TEST_F(BwrapDoor, IsCheckedBeforeWhenTheHostAsksForIt) {
  install(std::filesystem::perms::owner_all);
  CheckRequest before = request();
  before.by_start = false;
  const auto checked = check(machine, before, {"6.1.0", false});
  ASSERT_TRUE(checked);
  EXPECT_FALSE(checked->readiness.by_start);
  EXPECT_EQ(checked->findings.door, root / "lib/agentrun-bwrap-door");
  EXPECT_EQ(machine.runs, 1);
}

TEST_F(BwrapDoor, IsLeftOutWhenItIsMissingOrCannotBeExecuted) {
  EXPECT_EQ(find_door(root / "lib/plugins"), std::nullopt);
  EXPECT_EQ(find_door({}), std::nullopt);
  install(std::filesystem::perms::owner_read);
  EXPECT_EQ(find_door(root / "lib/plugins"), std::nullopt);
  // Then socat is needed, and is not there.
  EXPECT_FALSE(check(machine, request(), {"6.1.0", false}));
}

TEST_F(BwrapDoor, StandsRightInFrontOfTheCommandInEveryKindOfNetwork) {
  Findings found = findings();
  found.door = "/lib/agentrun-bwrap-door";
  const DoorCarrier carrier(*found.door);
  for (const auto& [kind, before] :
       std::map<Kind, Arguments>{{Kind::cut, {"--", "/lib/agentrun-bwrap-door", "/bin/tool"}},
                                 {Kind::open, {"--", "/lib/agentrun-bwrap-door", "/bin/tool"}},
                                 {Kind::proxied, {"--", "/lib/agentrun-bwrap-door", "-p", "8080", "/bin/tool"}}}) {
    NetworkAccess access = network(kind);
    access.port = 8080;
    const Policy policy = built(builder());
    const auto plan = wrap({policy, access, session, {"/bin/tool"}}, found, {}, &carrier);
    ASSERT_TRUE(plan);
    EXPECT_TRUE(plan->gate);
    EXPECT_TRUE(find(plan->argv, before));
    EXPECT_EQ(plan->argv.at(plan->command_at), "/bin/tool");
    EXPECT_EQ(plan->depth, 2U);
  }
}

TEST_F(BwrapDoor, ShowsAPlaceholderForThePortOfADryRun) {
  const auto before = DoorCarrier("/door").before_command(network(Kind::proxied));
  ASSERT_TRUE(before);
  EXPECT_EQ(*before, (Arguments{"/door", "-p", "<proxy port>"}));
}

}  // namespace
}  // namespace agentrun::bwrap
