// The supervisor with real processes. Signals to agentrun itself are tested with the built program.

#include "process/supervisor.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>

#include <csignal>

#include "agentrun/host/run.hpp"
#include "process/spawn.hpp"

namespace agentrun::host {
namespace {

class Collected final : public Audience {
 public:
  void on_output(std::string_view bytes) override { output += bytes; }
  void on_error(std::string_view bytes) override { error += bytes; }
  void on_wake() override {}
  std::string output;
  std::string error;
};

class SupervisorTest : public ::testing::Test {
 protected:
  void SetUp() override {
    block_job_signals();
    auto signals = SignalSource::open();
    ASSERT_TRUE(signals);
    signals_.emplace(std::move(*signals));
  }

  Ending supervise(const std::string& script, std::string_view input = {}, SupervisorOptions options = {}) {
    auto in = make_pipe();
    auto out = make_pipe();
    auto err = make_pipe();
    SpawnRequest request;
    request.argv = {"/bin/sh", "-c", script};
    request.environment = {"PATH=/usr/bin:/bin"};
    request.cwd = "/";
    request.standard_input = in->read.get();
    request.standard_output = out->write.get();
    request.standard_error = err->write.get();
    const auto pid = spawn(request);
    EXPECT_TRUE(pid);
    for (Descriptor* end : {&in->read, &out->write, &err->write}) end->reset();
    OutputQueue no_output(-1);
    OutputQueue no_error(-1);
    Supervisor supervisor(*pid, {std::move(in->write), std::move(out->read), std::move(err->read)}, std::move(options),
                          *signals_, no_output, no_error, -1);
    return supervisor.run(input, audience_);
  }

  std::optional<SignalSource> signals_;
  Collected audience_;
};

TEST_F(SupervisorTest, CollectsOutputErrorAndTheExitCode) {
  const Ending ending = supervise("echo out; echo err >&2; exit 3");
  EXPECT_EQ(ending.exit_code, 3);
  EXPECT_EQ(audience_.output, "out\n");
  EXPECT_EQ(audience_.error, "err\n");
}

TEST_F(SupervisorTest, WritesALargeInputToAProcessThatPrintsFirst) {
  const std::string input(std::size_t{10} << 20, 'x');
  const Ending ending = supervise("head -c 1000000 /dev/zero; cat", input);
  EXPECT_EQ(ending.exit_code, 0);
  EXPECT_EQ(audience_.output.size(), 1000000U + input.size());
}

TEST_F(SupervisorTest, SurvivesAProcessThatDoesNotReadItsInput) {
  ::signal(SIGPIPE, SIG_IGN);
  const Ending ending = supervise("exit 0", std::string(std::size_t{10} << 20, 'x'));
  EXPECT_EQ(ending.exit_code, 0);
}

TEST_F(SupervisorTest, TellsTheSignalThatEndedTheProcess) {
  const Ending ending = supervise("kill -SEGV $$");
  EXPECT_EQ(ending.exit_code, std::nullopt);
  EXPECT_EQ(ending.signal, SIGSEGV);
}

TEST_F(SupervisorTest, TimeoutSendsSigtermThenWaitsForTheGrace) {
  SupervisorOptions options;
  options.timeout = std::chrono::milliseconds(100);
  const Ending polite = supervise("trap 'echo told; exit 0' TERM; while :; do sleep 0.05; done", {}, options);
  EXPECT_TRUE(polite.timed_out);
  EXPECT_EQ(polite.exit_code, 0);
  EXPECT_EQ(audience_.output, "told\n");
  options.grace = std::chrono::milliseconds(100);
  const Ending stubborn = supervise("trap '' TERM; while :; do sleep 0.05; done", {}, options);
  EXPECT_TRUE(stubborn.timed_out);
  EXPECT_EQ(stubborn.signal, SIGKILL);
}

TEST_F(SupervisorTest, DoesNotWaitForAChildThatHoldsTheOutput) {
  const Ending ending = supervise("sleep 1000 & echo done");
  EXPECT_EQ(ending.exit_code, 0);
  EXPECT_EQ(audience_.output, "done\n");
}

TEST_F(SupervisorTest, ReadsWhatWasPrintedRightBeforeTheEnd) {
  for (int round = 0; round < 20; ++round) {
    audience_.output.clear();
    supervise("head -c 60000 /dev/zero");
    ASSERT_EQ(audience_.output.size(), 60000U);
  }
}

}  // namespace
}  // namespace agentrun::host
