// Which backend is chosen, with real plugins that are not there.

#include "run/sandbox_choice.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "no_services.hpp"
#include "temp_dir.hpp"

namespace agentrun::host {
namespace {

using ::testing::HasSubstr;

class SandboxChoiceTest : public ::testing::Test {
 protected:
  [[nodiscard]] Result<SandboxChoice> choose(SandboxMode mode, std::optional<std::string> backend = {},
                                             const BackendFit& fit = {"pi", {}, false}) {
    SessionOptions options;
    options.backend = std::move(backend);
    options.sandbox = mode;
    const Caller caller{{}, directory_.path(), "/usr/bin/agentrun"};
    auto setting = make_setting(options, {}, caller);
    EXPECT_TRUE(setting);
    const PluginLibrary plugins({directory_.path() / "plugins"});
    testing::NoServices services;
    return choose_sandbox(*setting, options, fit, plugins, services, {});
  }
  testing::TempDir directory_;
};

TEST_F(SandboxChoiceTest, OnRefusesWhenNoBackendIsInstalled) {
  const auto choice = choose(SandboxMode::on);
  ASSERT_FALSE(choice);
  EXPECT_EQ(choice.error().code, ErrorCode::unavailable);
  EXPECT_THAT(choice.error().message, HasSubstr("sandbox is not available: no backend plugin 'bwrap' (looked in: "));
  EXPECT_THAT(describe(choice.error()), ::testing::Not(HasSubstr("landlock")));
}

TEST_F(SandboxChoiceTest, ANamedBackendReplacesTheChain) {
  const auto choice = choose(SandboxMode::on, "mine");
  ASSERT_FALSE(choice);
  EXPECT_THAT(choice.error().message, HasSubstr("no backend plugin 'mine'"));
}

TEST_F(SandboxChoiceTest, ARuntimesOwnBackendsReplaceTheChain) {
  const auto choice = choose(SandboxMode::on, {}, {"codex", {"its-own"}, true});
  ASSERT_FALSE(choice);
  EXPECT_THAT(choice.error().message, HasSubstr("no backend plugin 'its-own'"));
}

TEST_F(SandboxChoiceTest, ABackendThatDoesNotFitTheRuntimeIsAUsageError) {
  const auto choice = choose(SandboxMode::relax, "bwrap", {"codex", {"its-own"}, true});
  ASSERT_FALSE(choice);
  EXPECT_EQ(choice.error().code, ErrorCode::usage);
  EXPECT_EQ(choice.error().message, "--backend bwrap does not fit codex");
  EXPECT_THAT(choice.error().hint, HasSubstr("its-own"));
}

TEST_F(SandboxChoiceTest, NoneNeedsSandboxOff) {
  for (const SandboxMode mode : {SandboxMode::on, SandboxMode::relax}) {
    const auto choice = choose(mode, "none");
    ASSERT_FALSE(choice);
    EXPECT_EQ(choice.error().code, ErrorCode::usage);
    EXPECT_THAT(describe(choice.error()), HasSubstr("--sandbox off"));
  }
}

}  // namespace
}  // namespace agentrun::host
