// The helper's command line for a policy, what is refused, and what a machine is said to lack.

#include <gmock/gmock.h>

#include <cerrno>

#include "backend_files.hpp"
#include "landlock_backend.hpp"
#include "no_services.hpp"

namespace agentrun::landlock {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

/// A machine that answers each attempt as it is told.
class Machine final : public CheckServices {
 public:
  [[nodiscard]] std::optional<std::filesystem::path> find_tool(std::string_view) const override { return std::nullopt; }
  [[nodiscard]] CheckRun run(const CheckCommand& command) override {
    asked.push_back(command.argv);
    const bool supervised = std::find(command.argv.begin(), command.argv.end(), "--cut") != command.argv.end();
    const bool works = starts && (supervises || !supervised);
    return {.exit_code = works ? 0 : 1, .output = {}, .error = works ? "" : "agentrun-landlock: no luck\nmore\n"};
  }
  [[nodiscard]] bool root() const noexcept override { return is_root; }

  bool starts = true;
  bool supervises = true;
  bool is_root = false;
  std::vector<std::vector<std::string>> asked;
};

class LandlockPlan : public ::testing::Test {
 protected:
  Result<Readiness> check(const Kernel& kernel) {
    backend.emplace(kernel);
    return backend->check(machine, {.proxied = true, .with_versions = true, .plugin_directory = plugins});
  }
  [[nodiscard]] Result<SandboxPlan> plan(const PolicyBuilder& builder, const NetworkAccess& network) const {
    const Policy policy = builder.build().value();
    return backend->plan({policy, network, session, {"/bin/echo", "hi"}});
  }
  [[nodiscard]] PolicyBuilder builder() const {
    PolicyBuilder made(cwd);
    made.writable(session);
    return made;
  }
  [[nodiscard]] std::vector<std::string> missing(int abi) { return check({abi, 0, true}).value().enforcement.missing; }

  testing::TempDir stage;
  std::filesystem::path cwd = stage.make("work");
  std::filesystem::path session = stage.make("session");
  std::filesystem::path outside = stage.make("outside");
  std::filesystem::path plugins = stage.make("lib/plugins");
  std::filesystem::path helper = program("lib/agentrun-landlock");
  Machine machine;
  std::optional<LandlockBackend> backend;
  const NetworkAccess cut{NetworkAccess::Kind::cut, 0, {}};

 private:
  [[nodiscard]] std::filesystem::path program(const char* name) const {
    const auto path = testing::write_file(stage.path() / name, "");
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
    return path;
  }
};

TEST_F(LandlockPlan, PutsTheHelperInFrontOfTheCommand) {
  ASSERT_TRUE(check({7, 0, true}));
  const auto planned = plan(builder(), {NetworkAccess::Kind::proxied, 4321, session / "proxy.sock"});
  ASSERT_TRUE(planned) << describe(planned.error());
  EXPECT_THAT(planned->argv, ElementsAre(helper, "--abi", "6", "--port", "4321", "--write", cwd.native(), "--write",
                                         session.native(), "--cwd", cwd.native(), "--", "/bin/echo", "hi"));
  EXPECT_EQ(planned->argv.at(planned->command_at), "/bin/echo");
  EXPECT_EQ(planned->depth, 2U);
}

TEST_F(LandlockPlan, NamesWhatIsHiddenAllowedAndKept) {
  ASSERT_TRUE(check({6, 0, true}));
  const auto key = testing::write_file(outside / "key", "");
  const auto state = stage.make("state");
  const auto planned =
      plan(builder().hide(key).unix_socket(outside / "s").state({state, {"auth.json", "auth.json.lock"}}), cut);
  ASSERT_TRUE(planned) << describe(planned.error());
  EXPECT_THAT(planned->argv, ElementsAre(helper, "--abi", "6", "--cut", "--write", cwd.native(), "--write",
                                         session.native(), "--socket", (outside / "s").native(), "--state",
                                         state.native(), "--entry", "auth.json", "--entry", "auth.json.lock", "--hide",
                                         key.native(), "--cwd", cwd.native(), "--", "/bin/echo", "hi"));
}

TEST_F(LandlockPlan, ShowsThePortOfADryRunAsUnknown) {
  ASSERT_TRUE(check({6, 0, true}));
  EXPECT_THAT(plan(builder(), {NetworkAccess::Kind::proxied, 0, {}}).value().argv, Contains("<proxy port>"));
}

TEST_F(LandlockPlan, RefusesWhatItCannotKeep) {
  ASSERT_TRUE(check({7, 0, true}));
  const auto key = testing::write_file(cwd / ".env", "");
  const auto inside = plan(builder().hide(key), cut);
  ASSERT_FALSE(inside);
  EXPECT_EQ(inside.error().code, ErrorCode::unavailable);
  EXPECT_THAT(describe(inside.error()), HasSubstr(key.native()));
  const auto state = stage.make("state");
  const auto login = testing::write_file(state / "auth.json", "");
  EXPECT_FALSE(plan(builder().hide(login).state({state, {"auth.json"}}), cut));
  EXPECT_TRUE(plan(builder().hide(testing::write_file(state / "other", "")).state({state, {"auth.json"}}), cut));
  const auto tmp = plan(builder().private_tmp(true), cut);
  ASSERT_FALSE(tmp);
  EXPECT_THAT(describe(tmp.error()), HasSubstr("--private-tmp"));
}

TEST_F(LandlockPlan, RefusesALimitOfTheNetworkWhereConnectionsAreNotJudged) {
  machine.supervises = false;
  const auto ready = check({7, 0, true});
  ASSERT_TRUE(ready) << describe(ready.error());
  EXPECT_FALSE(backend->traits().limits_network);
  EXPECT_THAT(ready->enforcement.missing, Contains("can reach unix sockets outside"));
  ASSERT_FALSE(plan(builder(), cut));
  EXPECT_THAT(describe(plan(builder(), cut).error()), HasSubstr("cannot limit the network"));
  EXPECT_FALSE(plan(builder(), {NetworkAccess::Kind::proxied, 1, {}}));
  const auto open = plan(builder(), {NetworkAccess::Kind::open, 0, {}});
  ASSERT_TRUE(open);
  EXPECT_THAT(open->argv, Contains("--open"));
}

TEST_F(LandlockPlan, DoesNotTryToSuperviseOnAKernelThatCannot) {
  ASSERT_TRUE(check({7, 0, false}));
  EXPECT_FALSE(backend->traits().limits_network);
  EXPECT_THAT(machine.asked, ElementsAre(ElementsAre(helper, "--abi", "6", "--open", "--", helper, "--nothing")));
}

TEST_F(LandlockPlan, ChecksWithARealStart) {
  const auto ready = check({7, 0, true});
  ASSERT_TRUE(ready);
  EXPECT_THAT(machine.asked, ElementsAre(ElementsAre(helper, "--abi", "6", "--cut", "--", helper, "--try")));
  EXPECT_TRUE(backend->traits().limits_network);
  ASSERT_EQ(ready->tools.size(), 1U);
  EXPECT_EQ(ready->tools[0].version, "Landlock ABI 7");
  ASSERT_EQ(ready->steps.size(), 1U);
  EXPECT_EQ(ready->steps[0].outcome, "ok");
}

TEST_F(LandlockPlan, SaysWhatEachAbiLacks) {
  EXPECT_THAT(missing(7), ElementsAre("shares the process list"));
  EXPECT_EQ(missing(6), missing(7));
  EXPECT_THAT(missing(5), ElementsAre("shares the process list", "can signal processes outside"));
  EXPECT_THAT(missing(4),
              ElementsAre("shares the process list", "can signal processes outside", "can send commands to devices"));
  EXPECT_EQ(missing(3), missing(4));
  EXPECT_THAT(missing(2), ElementsAre("shares the process list", "can signal processes outside",
                                      "can send commands to devices", "can truncate files outside"));
  EXPECT_THAT(missing(1),
              ElementsAre("shares the process list", "can signal processes outside", "can send commands to devices",
                          "can truncate files outside", "cannot move files between directories"));
  machine.is_root = true;
  EXPECT_THAT(missing(7), ElementsAre("shares the process list", "can read device nodes that lie outside of /dev"));
}

TEST_F(LandlockPlan, IsRefusedWithCauseAndRemedy) {
  struct Case {
    Kernel kernel;
    const char* cause;
    const char* remedy;
  };
  for (const Case& one :
       {Case{{0, ENOSYS, true}, "no Landlock", "5.13"}, Case{{0, EOPNOTSUPP, true}, "switched off", "lsm="},
        Case{{0, EPERM, true}, "container", "docker"}}) {
    const auto ready = check(one.kernel);
    ASSERT_FALSE(ready);
    EXPECT_EQ(ready.error().code, ErrorCode::unavailable);
    EXPECT_THAT(ready.error().message, HasSubstr(one.cause));
    EXPECT_THAT(ready.error().hint, HasSubstr(one.remedy));
  }
  machine.starts = false;
  EXPECT_EQ(check({7, 0, true}).error().message, "agentrun-landlock cannot start: agentrun-landlock: no luck");
  std::filesystem::remove(helper);
  const auto gone = check({7, 0, true});
  ASSERT_FALSE(gone);
  EXPECT_THAT(describe(gone.error()), HasSubstr("agentrun-backend-landlock"));
}

TEST_F(LandlockPlan, NeedsTheCheckFirst) {
  backend.emplace(Kernel{7, 0, true});
  EXPECT_FALSE(plan(builder(), cut));
}

TEST_F(LandlockPlan, TellsItsOwnFailureByItsPrefix) {
  const StartFailureRule rule = LandlockBackend(Kernel{}).start_failure();
  EXPECT_EQ(rule.prefix, "agentrun-landlock: ");
  EXPECT_THAT(rule.exit_codes, ElementsAre(125));
}

}  // namespace
}  // namespace agentrun::landlock
