#include "run/outcome.hpp"

#include <gtest/gtest.h>

#include <csignal>

namespace agentrun::host {
namespace {

Findings exited(int code) {
  Findings findings;
  findings.ending.exit_code = code;
  return findings;
}

TEST(Outcome, FinishedWithCodeZero) {
  const Outcome outcome = judge(exited(0));
  EXPECT_EQ(outcome.status, RunStatus::finished);
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.detail, "");
}

TEST(Outcome, ASignalThatAgentrunSawBeatsEverything) {
  Findings findings = exited(0);
  findings.ending.interrupted_by = SIGINT;
  findings.ending.timed_out = true;
  findings.stop_reason = "stopped";
  EXPECT_EQ(judge(findings).status, RunStatus::interrupted);
  EXPECT_EQ(judge(findings).detail, "");
}

TEST(Outcome, TheTimeoutBeatsTheRuntimesOwnVerdict) {
  Findings findings = exited(1);
  findings.ending.timed_out = true;
  findings.verdict.status = Verdict::Status::limit;
  EXPECT_EQ(judge(findings).status, RunStatus::timeout);
}

TEST(Outcome, ALimitBeatsAFailingExitCode) {
  Findings findings = exited(1);
  findings.verdict.status = Verdict::Status::limit;
  EXPECT_EQ(judge(findings).status, RunStatus::limit);
}

TEST(Outcome, DetailIsTheFirstKnownReason) {
  Findings findings = exited(1);
  EXPECT_EQ(judge(findings).detail, "runtime exited with code 1");
  findings.error_tail = "tail";
  EXPECT_EQ(judge(findings).detail, "tail");
  findings.verdict = {Verdict::Status::failed, "own text", {}, {}};
  EXPECT_EQ(judge(findings).detail, "own text");
  findings.start_failure = "no namespaces";
  EXPECT_EQ(judge(findings).detail, "sandbox failed to start: no namespaces");
  findings.stop_reason = "wrong model";
  EXPECT_EQ(judge(findings).detail, "wrong model");
  EXPECT_EQ(judge(findings).status, RunStatus::failed);
}

TEST(Outcome, ARuntimeThatASignalEndedHasFailedWithoutExitCode) {
  Findings findings;
  findings.ending.signal = SIGSEGV;
  EXPECT_EQ(judge(findings).status, RunStatus::failed);
  EXPECT_EQ(judge(findings).exit_code, std::nullopt);
  EXPECT_EQ(judge(findings).detail, "runtime was ended by signal 11");
}

TEST(Outcome, AWrappersCodeAbove128IsASignal) {
  Findings findings = exited(137);
  EXPECT_EQ(judge(findings).exit_code, 137);
  findings.wrapped = true;
  EXPECT_EQ(judge(findings).exit_code, std::nullopt);
  EXPECT_EQ(judge(findings).status, RunStatus::failed);
  EXPECT_EQ(wrapped_signal(findings.ending, true), SIGKILL);
  findings.ending.exit_code = 255;
  EXPECT_EQ(judge(findings).exit_code, 255);
}

TEST(Outcome, ExitCodesOfAgentrun) {
  EXPECT_EQ(exit_code_of(RunStatus::finished, {}), 0);
  EXPECT_EQ(exit_code_of(RunStatus::failed, {}), 1);
  EXPECT_EQ(exit_code_of(RunStatus::rejected, {}), 2);
  EXPECT_EQ(exit_code_of(RunStatus::timeout, {}), 3);
  EXPECT_EQ(exit_code_of(RunStatus::limit, {}), 4);
  EXPECT_EQ(exit_code_of(RunStatus::interrupted, SIGTERM), 143);
}

}  // namespace
}  // namespace agentrun::host
