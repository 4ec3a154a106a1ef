// Ends of runs of the real codex that it did not choose.

#include <csignal>

#include "codex_fixture.hpp"

namespace agentrun::testing {
namespace {

TEST_F(RealCodex, SignalsEndItWithNothingLeft) {
  for (const auto& [number, code] : std::map<int, int>{{SIGINT, 130}, {SIGTERM, 143}}) {
    model({shell("touch started; setsid sleep 1000 & sleep 1000"), ModelTurn::say("never")});
    std::filesystem::remove(stage_.work() / "started");
    Program program(invocation());
    ASSERT_TRUE(eventually([&] { return std::filesystem::exists(stage_.work() / "started"); }));
    program.signal(number);
    const Finished result = program.wait();
    EXPECT_EQ(result.exit_code, code);
    EXPECT_EQ(result.end().at("status"), "interrupted");
    EXPECT_EQ(result.events("tool").size(), 1U) << "the open call is told before the end";
    EXPECT_EQ(result.end().at("usage").at("output_tokens"), 20) << "what the interrupted turn used";
    expect_nothing_left();
  }
}

TEST_F(RealCodex, TheTimeoutEndsItWithNothingLeft) {
  model({shell("sleep 1000"), ModelTurn::say("never")});
  const Finished result = run({"--timeout", "5"});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_EQ(result.end().at("status"), "timeout");
  expect_nothing_left();
}

TEST_F(RealCodex, AModelThatHangsIsInterrupted) {
  ModelTurn hanging = ModelTurn::say("half of it");
  hanging.ending = ModelTurn::Ending::hang;
  model({hanging});
  Program program(invocation());
  ASSERT_TRUE(model_->wait_for_requests(1));
  program.signal(SIGTERM);
  EXPECT_EQ(program.wait().exit_code, 143);
  expect_nothing_left();
}

}  // namespace
}  // namespace agentrun::testing
