#include "codex/login.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "temp_dir.hpp"

namespace agentrun::codex {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

Environment environment_of(std::initializer_list<std::pair<const char*, std::string>> variables) {
  Environment environment;
  for (const auto& [name, value] : variables) environment.set(name, value);
  return environment;
}

TEST(CodexLoginFile, IsInItsHome) {
  EXPECT_EQ(login_file(environment_of({{"HOME", "/h"}, {"CODEX_HOME", "c"}}), "/w").value(), "/w/c/auth.json");
  EXPECT_EQ(login_file(environment_of({{"HOME", "/h"}, {"CODEX_HOME", ""}}), "/w").value(), "/h/.codex/auth.json");
  EXPECT_THAT(login_file({}, "/w").error().message, HasSubstr("HOME is not set"));
}

TEST(CodexLoginFile, IsMissedWithItsRemedies) {
  const testing::TempDir root;
  const auto refused = require_login(root / "auth.json");
  EXPECT_EQ(describe(refused.error()), "codex login file " + (root / "auth.json").string() +
                                           " not found. Run codex login, or pass its content in AGENTRUN_CODEX_AUTH");
  EXPECT_FALSE(require_login(root.make("directory")));
  EXPECT_TRUE(require_login(root.write("auth.json", "{}")));
}

/// A codex that says something and exits.
class Machine final : public CheckServices {
 public:
  [[nodiscard]] std::optional<std::filesystem::path> find_tool(std::string_view) const override { return std::nullopt; }
  [[nodiscard]] CheckRun run(const CheckCommand& command) override {
    argv = command.argv;
    for (const Variable& variable : command.variables) {
      if (variable.name == "CODEX_HOME") login = testing::read_file(variable.value + "/auth.json");
    }
    return answer;
  }
  [[nodiscard]] bool root() const noexcept override { return false; }

  CheckRun answer{.exit_code = 0, .output = "Logged in using an API key - sk-SECRET", .error = {}};
  std::vector<std::string> argv;
  std::string login;
};

class CodexLogin : public ::testing::Test {
 protected:
  [[nodiscard]] LoginReport report() {
    return check_login({arguments_, environment_, machine_, "/usr/bin/codex", "/", root_.make("scratch")}).value();
  }

  testing::TempDir root_;
  RunArguments arguments_;
  Environment environment_ = environment_of({{"CODEX_HOME", (root_ / "home").string()}});
  Machine machine_;
};

TEST_F(CodexLogin, IsAskedOfCodexInAPrivateHome) {
  root_.write("home/auth.json", "the login");
  EXPECT_EQ(report().status, LoginReport::Status::ok);
  EXPECT_THAT(machine_.argv, ElementsAre("/usr/bin/codex", "login", "status"));
  EXPECT_EQ(machine_.login, "the login");
}

TEST_F(CodexLogin, FailsWithoutAFileAndWhenCodexSaysSo) {
  EXPECT_EQ(report().status, LoginReport::Status::failed);
  EXPECT_TRUE(machine_.argv.empty());
  root_.write("home/auth.json", "the login");
  machine_.answer = {.exit_code = 1, .output = {}, .error = "Not logged in: sk-SECRET"};
  const LoginReport failed = report();
  EXPECT_EQ(failed.status, LoginReport::Status::failed);
  EXPECT_THAT(failed.detail, HasSubstr("Run codex login"));
  EXPECT_THAT(failed.detail, Not(HasSubstr("SECRET")));
}

TEST_F(CodexLogin, ShowsNothingOfTheKey) {
  root_.write("home/auth.json", "the login");
  EXPECT_THAT(report().detail, Not(HasSubstr("SECRET")));
}

}  // namespace
}  // namespace agentrun::codex
