#include "codex/codex_backend.hpp"

#include <algorithm>
#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "temp_dir.hpp"

namespace agentrun::codex {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using testing::TempDir;

class Machine final : public CheckServices {
 public:
  [[nodiscard]] std::optional<std::filesystem::path> find_tool(std::string_view name) const override {
    const auto found = tools.find(std::string(name));
    if (found == tools.end()) return std::nullopt;
    return found->second;
  }
  [[nodiscard]] CheckRun run(const CheckCommand& command) override {
    runs.push_back(command.argv);
    if (std::ranges::count(command.argv, "--version") == 0) return start;
    const bool codex = command.argv.front().ends_with("codex");
    return {.exit_code = 0, .output = codex ? "codex-cli 0.171.0\n" : "bubblewrap 0.8.0\n", .error = {}};
  }
  [[nodiscard]] bool root() const noexcept override { return false; }

  std::map<std::string, std::filesystem::path> tools{{"bwrap", "/usr/bin/bwrap"}, {"codex", "/opt/codex"}};
  CheckRun start{.exit_code = 0, .output = {}, .error = {}};
  std::vector<std::vector<std::string>> runs;
};

class CodexBackendCheck : public ::testing::Test {
 protected:
  Machine machine_;
  CodexBackend backend_;
};

TEST_F(CodexBackendCheck, StartsBwrapOnceAndFindsBothPrograms) {
  const auto ready = backend_.check(machine_, {.proxied = true, .with_versions = true, .by_runtime = true});
  ASSERT_TRUE(ready);
  EXPECT_FALSE(ready->by_start);
  ASSERT_EQ(ready->tools.size(), 2U);
  EXPECT_EQ(ready->tools[0].version, "0.8.0");
  EXPECT_EQ(ready->tools[1].path, "/opt/codex");
  EXPECT_EQ(ready->tools[1].version, "0.171.0");
  EXPECT_THAT(machine_.runs.front(), Contains("/bin/true"));
}

TEST_F(CodexBackendCheck, NeedsNoSocat) { EXPECT_TRUE(backend_.check(machine_, {.proxied = true})); }

TEST_F(CodexBackendCheck, RefusesWithCauseAndRemedy) {
  machine_.start = {.exit_code = 1, .output = {}, .error = "bwrap: setting up uid map: Permission denied\n"};
  EXPECT_THAT(backend_.check(machine_, {}).error().message,
              HasSubstr("bwrap cannot start: bwrap: setting up uid map: Permission denied"));
  machine_.start = {.exit_code = 0, .output = {}, .error = {}};
  machine_.tools.erase("codex");
  EXPECT_EQ(backend_.check(machine_, {}).error().message, "codex not found in PATH");
  machine_.tools.erase("bwrap");
  EXPECT_EQ(backend_.check(machine_, {}).error().message, "bwrap not found in PATH");
}

class CodexBackendPlan : public ::testing::Test {
 protected:
  [[nodiscard]] Result<SandboxPlan> plan() { return backend_.plan(request()); }
  [[nodiscard]] PlanRequest request() { return {policy_, {}, root_ / "session", {"/bin/echo", "--", "x"}}; }

  TempDir root_;
  Policy policy_ = PolicyBuilder(root_.make("work")).writable(root_.make("session")).build().value();
  Machine machine_;
  CodexBackend backend_;
};

TEST_F(CodexBackendPlan, StartsAnyCommandByCodexSandbox) {
  ASSERT_TRUE(backend_.check(machine_, {}));
  const auto plan = this->plan();
  ASSERT_TRUE(plan);
  const std::vector<std::string> begin(plan->argv.begin(), plan->argv.begin() + 6);
  EXPECT_EQ(begin, (std::vector<std::string>{"/opt/codex", "sandbox", "-P", "agentrun", "-C", root_ / "work"}));
  EXPECT_EQ(plan->argv[plan->command_at - 1], "--");
  EXPECT_EQ(plan->argv[plan->command_at], "/bin/echo");
  EXPECT_EQ(plan->command_at + 3, plan->argv.size());
  EXPECT_GT(plan->depth, 0U);
}

TEST_F(CodexBackendPlan, TellsCodexTheSameProfile) {
  const auto own = backend_.own_arguments(request());
  ASSERT_TRUE(own);
  ASSERT_TRUE(backend_.check(machine_, {}));
  const auto plan = this->plan();
  const auto found = std::search(plan->argv.begin(), plan->argv.end(), own->begin(), own->end());
  EXPECT_NE(found, plan->argv.end());
}

TEST_F(CodexBackendPlan, NeedsTheCheck) { EXPECT_FALSE(plan()); }

TEST(CodexBackendTraits, FitCodexAndCommandsOnly) {
  EXPECT_THAT(CodexBackend().traits().only_for, ::testing::ElementsAre("codex", "exec"));
  EXPECT_EQ(CodexBackend().traits().kind, "codex");
}

}  // namespace
}  // namespace agentrun::codex
