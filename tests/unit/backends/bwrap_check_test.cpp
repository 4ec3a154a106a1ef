// What the check tries, in which order, and what it says when nothing works.

#include <map>

#include "bubblewrap/refusal.hpp"
#include "bubblewrap/wsl.hpp"
#include "bwrap_backend.hpp"
#include "bwrap_fixture.hpp"

namespace agentrun::bwrap {
namespace {

using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

const Kernel usual_kernel{"6.1.0-13-amd64\n", false};

bool has(const Arguments& argv, const std::string& argument) {
  return std::find(argv.begin(), argv.end(), argument) != argv.end();
}

CheckRun ok(std::string output = {}) { return {.exit_code = 0, .output = std::move(output), .error = {}}; }
CheckRun failed(std::string error) { return {.exit_code = 1, .output = {}, .error = std::move(error)}; }

/// A machine whose bwrap refuses some options.
class Machine final : public CheckServices {
 public:
  [[nodiscard]] std::optional<std::filesystem::path> find_tool(std::string_view name) const override {
    const auto found = tools.find(std::string(name));
    if (found == tools.end()) return std::nullopt;
    return found->second;
  }
  [[nodiscard]] CheckRun run(const CheckCommand& command) override {
    const Arguments& argv = command.argv;
    runs.push_back(argv);
    if (has(argv, "--version")) return ok(bwrap_version);
    if (has(argv, "-V")) return ok("socat by Gerhard Rieger\nsocat version 1.7.4.4 on 06 Nov 2022 08:15:51\n");
    for (const auto& [option, result] : refused) {
      if (has(argv, option)) return result;
    }
    return ok();
  }
  [[nodiscard]] bool root() const noexcept override { return as_root; }

  std::map<std::string, std::filesystem::path> tools{{"bwrap", "/usr/bin/bwrap"}, {"socat", "/usr/bin/socat"}};
  std::vector<std::pair<std::string, CheckRun>> refused;
  std::string bwrap_version = "bubblewrap 0.8.0\n";
  bool as_root = false;
  std::vector<Arguments> runs;
};

TEST(BwrapCheck, StartsTheWrappersNamespacesAroundAProgramThatDoesNothing) {
  Machine machine;
  ASSERT_TRUE(check(machine, {}, usual_kernel));
  EXPECT_THAT(machine.runs,
              ElementsAre(Arguments{"/usr/bin/bwrap", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc",
                                    "--die-with-parent", "--unshare-net", "--unshare-pid", "--unshare-ipc",
                                    "--unshare-user", "--disable-userns", "--", "/bin/true"}));
}

TEST(BwrapCheck, DropsRootsCapabilitiesAsTheWrapperDoes) {
  Machine machine;
  machine.as_root = true;
  const auto checked = check(machine, {}, usual_kernel);
  ASSERT_TRUE(checked);
  EXPECT_TRUE(checked->findings.host.root);
  EXPECT_TRUE(find(machine.runs.at(0), {"--cap-drop", "ALL"}));
  EXPECT_TRUE(find(machine.runs.at(0), {"--ro-bind", "/proc/sys", "/proc/sys"}));
}

TEST(BwrapCheck, PassesOnThatTheKernelHasBinfmtMisc) {
  Machine machine;
  machine.as_root = true;
  const auto checked = check(machine, {}, {"6.1.0-13-amd64\n", true});
  ASSERT_TRUE(checked);
  EXPECT_TRUE(checked->findings.host.binfmt_misc);
  EXPECT_TRUE(find(machine.runs.at(0), {"--tmpfs", "/proc/sys/fs/binfmt_misc"}));
}

TEST(BwrapCheck, ReportsFullEnforcementWhenTheFirstAttemptWorks) {
  Machine machine;
  const auto checked = check(machine, {}, usual_kernel);
  ASSERT_TRUE(checked);
  EXPECT_TRUE(checked->readiness.enforcement.full());
  ASSERT_EQ(checked->readiness.steps.size(), 1U);
  EXPECT_EQ(checked->readiness.steps[0].outcome, "ok");
}

TEST(BwrapCheck, GoesWithoutAProcessNamespaceWhereProcCannotBeMounted) {
  Machine machine;
  machine.refused = {{"--unshare-pid", failed("bwrap: Can't mount proc on /newroot/proc: Operation not permitted\n")}};
  const auto checked = check(machine, {}, usual_kernel);
  ASSERT_TRUE(checked);
  EXPECT_EQ(checked->findings.namespaces, (Namespaces{Users::locked, false}));
  EXPECT_THAT(checked->readiness.enforcement.missing, ElementsAre("shares the process list"));
  EXPECT_THAT(checked->readiness.steps.at(0).outcome, HasSubstr("Can't mount proc"));
}

TEST(BwrapCheck, KeepsTheProcessNamespaceWithABwrapThatCannotLockUserNamespaces) {
  Machine machine;
  machine.refused = {{"--disable-userns", failed("bwrap: Unknown option --disable-userns\n")}};
  const auto checked = check(machine, {}, usual_kernel);
  ASSERT_TRUE(checked);
  EXPECT_EQ(checked->findings.namespaces, (Namespaces{Users::own, true}));
  EXPECT_THAT(checked->readiness.enforcement.missing, ElementsAre("can make user namespaces"));
}

TEST(BwrapCheck, GoesWithoutBothWhereNeitherWorks) {
  Machine machine;
  machine.refused = {{"--disable-userns", failed("bwrap: no\n")}, {"--unshare-pid", failed("bwrap: no\n")}};
  const auto checked = check(machine, {}, usual_kernel);
  ASSERT_TRUE(checked);
  EXPECT_EQ(machine.runs.size(), 4U);
  EXPECT_EQ(checked->readiness.enforcement.missing.size(), 2U);
}

TEST(BwrapCheck, LetsRootGoWithoutAUserNamespace) {
  Machine machine;
  machine.as_root = true;
  machine.refused = {{"--unshare-user", failed("bwrap: Creating new namespace failed\n")}};
  const auto checked = check(machine, {}, usual_kernel);
  ASSERT_TRUE(checked);
  EXPECT_EQ(checked->findings.namespaces, (Namespaces{Users::shared, true}));
}

TEST(BwrapCheck, NeverGoesWithoutBothAUserAndAProcessNamespace) {
  for (const bool root : {false, true}) {
    Machine machine;
    machine.as_root = root;
    machine.refused = {{"--unshare-user", failed("bwrap: no\n")}, {"--unshare-pid", failed("bwrap: no\n")}};
    EXPECT_FALSE(check(machine, {}, usual_kernel));
  }
}

TEST(BwrapCheck, LetsAnOrdinaryUserNeverGoWithoutAUserNamespace) {
  Machine machine;
  machine.refused = {{"--unshare-user", failed("bwrap: no\n")}};
  EXPECT_FALSE(check(machine, {}, usual_kernel));
}

TEST(BwrapCheck, StopsWhenTheTimeIsUsedUp) {
  Machine machine;
  machine.refused = {{"--", {.exit_code = std::nullopt, .output = {}, .error = {}, .timed_out = true}}};
  const auto checked = check(machine, {}, usual_kernel);
  ASSERT_FALSE(checked);
  EXPECT_EQ(machine.runs.size(), 1U);
  EXPECT_EQ(checked.error().message, "bwrap cannot start: it did not end in time");
}

TEST(BwrapCheck, AsksForSocatOnlyWhenTheRunIsProxied) {
  Machine machine;
  machine.tools.erase("socat");
  EXPECT_TRUE(check(machine, {.proxied = false}, usual_kernel));
  const auto proxied = check(machine, {.proxied = true}, usual_kernel);
  ASSERT_FALSE(proxied);
  EXPECT_EQ(describe(proxied.error()),
            "socat not found in PATH. Install socat: apt-get install socat (Debian, Ubuntu), dnf install socat "
            "(Fedora), pacman -S socat (Arch)");
}

TEST(BwrapCheck, AsksForVersionsOnlyWhenTheyAreWanted) {
  Machine machine;
  const auto quick = check(machine, {.proxied = true}, usual_kernel);
  ASSERT_TRUE(quick);
  EXPECT_EQ(machine.runs.size(), 1U);
  EXPECT_EQ(quick->readiness.tools.at(1).path, "/usr/bin/socat");
  EXPECT_THAT(quick->readiness.tools.at(0).version, IsEmpty());
  const auto full = check(machine, {.proxied = true, .with_versions = true}, usual_kernel);
  ASSERT_TRUE(full);
  EXPECT_EQ(full->readiness.tools.at(0).version, "0.8.0");
  EXPECT_EQ(full->readiness.tools.at(1).version, "1.7.4.4");
}

TEST(BwrapRefusal, NamesTheCommandsThatInstallBwrap) {
  Machine machine;
  machine.tools.clear();
  const auto checked = check(machine, {}, usual_kernel);
  ASSERT_FALSE(checked);
  EXPECT_EQ(checked.error().code, ErrorCode::unavailable);
  EXPECT_EQ(describe(checked.error()),
            "bwrap not found in PATH. Install bubblewrap: apt-get install bubblewrap (Debian, Ubuntu), dnf install "
            "bubblewrap (Fedora), pacman -S bubblewrap (Arch)");
}

TEST(BwrapRefusal, GivesTheFirstLineOfTheErrorAndBothRemedies) {
  Machine machine;
  machine.refused = {{"--", failed("bwrap: setting up uid map: Permission denied\nmore\n")}};
  const auto checked = check(machine, {}, usual_kernel);
  ASSERT_FALSE(checked);
  EXPECT_EQ(checked.error().message, "bwrap cannot start: bwrap: setting up uid map: Permission denied");
  EXPECT_THAT(checked.error().hint, StartsWith("In a docker container use --sandbox off. On Ubuntu 23.10 or later, "
                                               "allow bwrap to create user namespaces with an AppArmor profile: /"));
  EXPECT_THAT(checked.error().hint, EndsWith("/troubleshooting.md"));
}

TEST(BwrapRefusal, NamesBothRemediesWhateverTheErrorSays) {
  for (const char* text : {"bwrap: No permissions to create new namespace", "docker", ""}) {
    const Error error = bwrap_cannot_start(failed(text));
    EXPECT_THAT(error.hint, HasSubstr("--sandbox off"));
    EXPECT_THAT(error.hint, HasSubstr("AppArmor"));
  }
}

TEST(BwrapRefusal, SaysSomethingWhenBwrapPrintedNothing) {
  EXPECT_EQ(bwrap_cannot_start({.exit_code = 3, .output = {}, .error = {}}).message,
            "bwrap cannot start: it exited with code 3 and printed nothing");
  EXPECT_EQ(bwrap_cannot_start({.exit_code = std::nullopt, .output = {}, .error = {}}).message,
            "bwrap cannot start: it was killed and printed nothing");
}

TEST(BwrapRefusal, LetsNoControlCharacterThrough) {
  EXPECT_THAT(bwrap_cannot_start(failed("bwrap: \x1b[31mred\n")).message, ::testing::Not(HasSubstr("\x1b")));
}

TEST(BwrapRefusal, NamesBothVersionsOfAnOldBwrap) {
  Machine machine;
  machine.refused = {{"--", failed("bwrap: Unknown option --unshare-pid\n")}};
  machine.bwrap_version = "bubblewrap 0.3.1\n";
  const auto checked = check(machine, {}, usual_kernel);
  ASSERT_FALSE(checked);
  EXPECT_THAT(checked.error().message, HasSubstr("0.3.1"));
  EXPECT_THAT(checked.error().message, HasSubstr(to_string(oldest_bwrap)));
}

TEST(BwrapRefusal, ComesFromTheFirstWindowsSubsystemBeforeAnythingIsStarted) {
  Machine machine;
  const auto checked = check(machine, {}, {"4.4.0-19041-Microsoft\n", false});
  ASSERT_FALSE(checked);
  EXPECT_THAT(checked.error().message, HasSubstr("WSL1"));
  EXPECT_THAT(checked.error().hint, HasSubstr("--set-version"));
  EXPECT_THAT(machine.runs, IsEmpty());
}

TEST(Wsl, IsTheFirstOneByItsCapitalMicrosoft) {
  EXPECT_TRUE(is_wsl1("4.4.0-19041-Microsoft"));
  EXPECT_TRUE(is_wsl1("4.4.0-43-Microsoft\n"));
  EXPECT_FALSE(is_wsl1("4.19.128-microsoft-standard"));
  EXPECT_FALSE(is_wsl1("5.15.90.1-microsoft-standard-WSL2\n"));
  EXPECT_FALSE(is_wsl1("6.1.0-13-amd64"));
  EXPECT_FALSE(is_wsl1(""));
}

TEST(BwrapVersion, IsReadFromItsOwnWords) {
  EXPECT_EQ(parse_bwrap_version("bubblewrap 0.8.0\n"), (Version{0, 8, 0}));
  EXPECT_EQ(parse_bwrap_version("bubblewrap 1.2"), (Version{1, 2, 0}));
  EXPECT_EQ(parse_bwrap_version("bubblewrap 0.11.0-2ubuntu"), (Version{0, 11, 0}));
  EXPECT_EQ(parse_bwrap_version("bubblewrap"), std::nullopt);
  EXPECT_EQ(parse_bwrap_version("bubblewrap x.y"), std::nullopt);
  EXPECT_EQ(parse_bwrap_version("bubblewrap 99999999999.0"), std::nullopt);
  EXPECT_EQ(parse_bwrap_version(""), std::nullopt);
}

TEST(BwrapVersion, ComparesNumbersAndNotText) { EXPECT_LT((Version{0, 4, 0}), (Version{0, 11, 0})); }

TEST(BwrapBackend, RefusesToPlanBeforeTheCheck) {
  const testing::TempDir root;
  const Policy policy = built(PolicyBuilder(root.path()));
  EXPECT_FALSE(BwrapBackend().plan({policy, {}, root.path(), {"/bin/true"}}));
}

TEST(BwrapBackend, ForgetsAnEarlierCheckWhenALaterOneFails) {
  const testing::TempDir root;
  const Policy policy = built(PolicyBuilder(root.path()));
  Machine machine;
  BwrapBackend backend;
  ASSERT_TRUE(backend.check(machine, {}));
  ASSERT_TRUE(backend.plan({policy, {}, root.path(), {"/bin/true"}}));
  machine.tools.clear();
  ASSERT_FALSE(backend.check(machine, {}));
  EXPECT_FALSE(backend.plan({policy, {}, root.path(), {"/bin/true"}}));
}

}  // namespace
}  // namespace agentrun::bwrap
