// How signals and the timeout end a command.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>

#include "program.hpp"

namespace agentrun::testing {
namespace {

/// Each in a sandbox and without one.
class ExecSignals : public ::testing::TestWithParam<const char*> {
 protected:
  [[nodiscard]] std::vector<std::string> shell(const std::string& script, std::vector<std::string> options = {}) const {
    std::vector<std::string> args{"exec", "--sandbox", GetParam()};
    args.insert(args.end(), options.begin(), options.end());
    args.insert(args.end(), {"--", "/bin/sh", "-c", script});
    return args;
  }
  Stage stage_;
};

constexpr const char* wait_forever = "while :; do sleep 1; done";

TEST_P(ExecSignals, EndTheCommandAndGiveTheirOwnExitCode) {
  for (const auto& [number, code] : std::map<int, int>{{SIGINT, 130}, {SIGTERM, 143}, {SIGHUP, 129}, {SIGQUIT, 131}}) {
    Program program(stage_.invocation(shell(std::string("echo ready; ") + wait_forever)));
    ASSERT_TRUE(program.said("ready"));
    program.signal(number);
    EXPECT_EQ(program.wait().exit_code, code);
  }
  EXPECT_TRUE(stage_.clean());
}

TEST_P(ExecSignals, ReachTheCommandItselfSoThatItCanTidyUp) {
  Program program(stage_.invocation(shell(std::string("trap 'echo tidy; exit 3' TERM; echo ready; ") + wait_forever)));
  ASSERT_TRUE(program.said("ready"));
  program.signal(SIGTERM);
  const Finished result = program.wait();
  EXPECT_EQ(result.out, "ready\ntidy\n");
  EXPECT_EQ(result.exit_code, 143);
}

TEST_P(ExecSignals, KillAtTheSecondOne) {
  Program program(stage_.invocation(shell(std::string("trap 'echo ignored' TERM; echo ready; ") + wait_forever)));
  ASSERT_TRUE(program.said("ready"));
  program.signal(SIGTERM);
  ASSERT_TRUE(program.said("ignored"));
  program.signal(SIGINT);
  EXPECT_EQ(program.wait(std::chrono::seconds(4)).exit_code, 143);
}

TEST_P(ExecSignals, TimeoutEndsTheCommandWith124) {
  const Finished result =
      stage_.run(shell(std::string("trap 'echo told; exit 0' TERM; ") + wait_forever, {"--timeout", "1"}));
  EXPECT_EQ(result.exit_code, 124);
  EXPECT_EQ(result.out, "told\n");
}

TEST_P(ExecSignals, KillACommandThatIgnoresTheTimeoutAfterTheGrace) {
  const Finished result = stage_.run(shell(std::string("trap '' TERM; ") + wait_forever, {"--timeout", "1"}));
  EXPECT_EQ(result.exit_code, 124);
}

INSTANTIATE_TEST_SUITE_P(Sandbox, ExecSignals, ::testing::Values("on", "off"));

}  // namespace
}  // namespace agentrun::testing
