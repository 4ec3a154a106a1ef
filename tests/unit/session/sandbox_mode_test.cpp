#include "session/sandbox_mode.hpp"

#include <gtest/gtest.h>

namespace agentrun::host {
namespace {

TEST(SandboxModeText, ReadsWhatItWrites) {
  for (const auto mode : {SandboxMode::on, SandboxMode::relax, SandboxMode::off}) {
    EXPECT_EQ(parse_sandbox_mode(to_string(mode)), mode);
  }
}

TEST(SandboxModeText, RefusesOtherSpellings) {
  for (const auto* text : {"", "On", "ON", " on", "on ", "offf", "true", "1"}) {
    EXPECT_FALSE(parse_sandbox_mode(text)) << text;
  }
}

TEST(SandboxModeChoice, IsOnByDefault) { EXPECT_EQ(choose_sandbox_mode({}, {}), SandboxMode::on); }

TEST(SandboxModeChoice, TakesTheVariable) { EXPECT_EQ(choose_sandbox_mode({}, "relax"), SandboxMode::relax); }

TEST(SandboxModeChoice, LetsTheOptionWin) {
  EXPECT_EQ(choose_sandbox_mode(SandboxMode::off, "relax"), SandboxMode::off);
  EXPECT_EQ(choose_sandbox_mode(SandboxMode::on, "nonsense"), SandboxMode::on);
}

TEST(SandboxModeChoice, RefusesABadVariable) {
  const auto mode = choose_sandbox_mode({}, "maybe");
  ASSERT_FALSE(mode);
  EXPECT_EQ(mode.error().code, ErrorCode::usage);
  EXPECT_EQ(describe(mode.error()), "invalid AGENTRUN_SANDBOX value 'maybe': expected on, relax or off");
}

}  // namespace
}  // namespace agentrun::host
