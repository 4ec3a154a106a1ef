// Nothing of a run outlives it.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>

#include "program.hpp"

namespace agentrun::testing {
namespace {

class Survivors : public ::testing::TestWithParam<const char*> {
 protected:
  [[nodiscard]] std::vector<std::string> shell(const std::string& script) const {
    return {"exec", "--sandbox", GetParam(), "--network", "full", "--", "/bin/sh", "-c", script};
  }
  [[nodiscard]] bool alone() const {
    return processes_marked("AGENTRUN_TEST_STAGE=" + stage_.root().path().native()).empty();
  }
  Stage stage_;
};

TEST_P(Survivors, ABackgroundChildIsGoneAndHoldsNothingUp) {
  const Finished result = stage_.run(shell("sleep 1000 & echo done"));
  EXPECT_EQ(result.out, "done\n");
  EXPECT_TRUE(alone());
}

TEST_P(Survivors, ADoubleForkWithASessionOfItsOwnIsGone) {
  const Finished result = stage_.run(shell(std::string(AGENTRUN_PROBE) + " orphan; echo done"));
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_TRUE(alone());
}

TEST_P(Survivors, AProcessThatKeepsStartingOthersIsGone) {
  const Finished result =
      stage_.run(shell("(while :; do setsid sleep 1000 & sleep 0.01; done) & sleep 0.3; echo done"));
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_TRUE(alone());
}

TEST_P(Survivors, ChildrenFromBeforeTheRunAreLeftAlone) {
  Invocation call = stage_.invocation({"-c", std::string("sleep 1000 & echo $! > child; exec ") + AGENTRUN_EXECUTABLE +
                                                 " exec --sandbox " + GetParam() + " -- true"});
  call.program = "/bin/sh";
  EXPECT_EQ(run(call).exit_code, 0);
  const pid_t child = static_cast<pid_t>(std::stoi(read_file(stage_.work() / "child")));
  EXPECT_EQ(::kill(child, SIGTERM), 0) << "agentrun killed a process that was not its own";
}

INSTANTIATE_TEST_SUITE_P(Sandbox, Survivors, ::testing::Values("on", "off"));

TEST(SurvivorsOfSigkill, InBubblewrapDieWithAgentrun) {
  const Stage stage;
  Program program(stage.invocation(
      {"exec", "--network", "full", "--", "/bin/sh", "-c", "setsid sleep 1000 & echo ready; sleep 1000"}));
  ASSERT_TRUE(program.said("ready"));
  program.signal(SIGKILL);
  EXPECT_EQ(program.wait().exit_code, 137);
  EXPECT_TRUE(
      eventually([&] { return processes_marked("AGENTRUN_TEST_STAGE=" + stage.root().path().native()).empty(); },
                 std::chrono::seconds(2)));
}

}  // namespace
}  // namespace agentrun::testing
