// What a runtime, a disk and a reader can do wrong.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <memory>

#include "fake_pi.hpp"

namespace agentrun::testing {
namespace {

using ::testing::HasSubstr;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr long memory_bound_kib = 2'000'000;
#else
constexpr long memory_bound_kib = 64'000;
#endif

TEST(Faults, OneGigabyteOfOutputNeedsNoMoreMemory) {
  const FakePi pi("reply; \"$PROBE\" flood 1000000000");
  const Finished result = pi.run();
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_LT(result.peak_kib, memory_bound_kib);
}

TEST(Faults, ALineOf50MegabytesNeitherCrashesNorStalls) {
  const FakePi pi("reply; \"$PROBE\" line 50000000; echo; reply");
  const Finished result = pi.run();
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.events("text").size(), 2U);
}

TEST(Faults, JunkIsIgnoredAndKeptInTheRawFile) {
  const FakePi pi("head -c 100000 /dev/urandom; echo; reply; printf '{\"type\":\"message_end\",\"message\":{'");
  const auto raw = pi.stage().root() / "raw";
  const Finished result = pi.run({"--raw", raw.native()});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_GT(std::filesystem::file_size(raw), 100000U);
}

TEST(Faults, BytesThatAreNotUtf8BecomeReplacementCharacters) {
  const FakePi pi(
      R"(printf '{"type":"message_end","message":{"role":"assistant","content":[{"type":"text","text":"a\377b"}],"provider":"anthropic","model":"m","usage":{"input":1,"output":1,"cacheRead":0,"cacheWrite":0},"stopReason":"stop"}}\n'; reply)");
  const Finished result = pi.run();
  EXPECT_EQ(result.exit_code, 0);
  for (const json::object& event : result.events("text")) {
    EXPECT_EQ(std::string(event.at("text").as_string()).find('\xff'), std::string::npos);
  }
}

TEST(Faults, AFloodOfStandardErrorPassesThrough) {
  const FakePi pi("reply; \"$PROBE\" flood 20000000 >&2; echo last words >&2; exit 1");
  const Finished result = pi.run();
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_GT(result.err.size(), 20000000U);
  EXPECT_THAT(std::string(result.end().at("detail").as_string()), ::testing::EndsWith("last words"));
  EXPECT_LE(result.end().at("detail").as_string().size(), 500U);
}

TEST(Faults, ARuntimeThatExitsAtOnceHasFailed) {
  const FakePi pi("exit 0");
  const Finished result = pi.run();
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_EQ(result.end().at("detail"), "pi produced no model reply");
}

TEST(Faults, ARuntimeThatIgnoresSigtermIsKilledAfterTheGrace) {
  const FakePi pi("trap '' TERM; reply; while :; do sleep 1; done");
  const Finished result = pi.run({"--timeout", "1"});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_TRUE(pi.stage().clean());
}

TEST(Faults, ARuntimeThatClosesItsOutputEarlyIsWaitedFor) {
  const FakePi pi("reply; exec >&-; sleep 1; echo late > late");
  const Finished result = pi.run();
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(read_file(pi.stage().work() / "late"), "late\n");
}

TEST(Faults, AFullDiskBehindRawGivesOneNoteAndChangesNothingElse) {
  const FakePi pi("reply; \"$PROBE\" flood 1000000");
  const Finished result = pi.run({"--raw", "/dev/full"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  const auto notes = result.events("note");
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_THAT(std::string(notes[0].at("text").as_string()), HasSubstr("No space left on device"));
}

TEST(Faults, AClosedStandardOutputStopsTheRunWithoutAWord) {
  const FakePi pi("reply; exec sleep 1000");
  Program program(pi.invocation());
  ASSERT_TRUE(program.said("\"usage\""));
  program.close_output();
  const Finished result = program.wait(std::chrono::seconds(20));
  EXPECT_EQ(result.exit_code, 141);
  EXPECT_EQ(result.err, "");
  EXPECT_TRUE(pi.stage().clean());
  EXPECT_TRUE(processes_marked("AGENTRUN_TEST_STAGE=" + pi.stage().root().path().native()).empty());
}

TEST(Faults, AReaderThatSleepsDoesNotKeepARunFromItsSignals) {
  const FakePi pi("reply; while :; do reply; done");
  Program program(pi.invocation());
  ASSERT_TRUE(program.said("\"usage\""));
  // From here on nobody reads: the pipe fills.
  program.signal(SIGTERM);
  const std::string marker = "AGENTRUN_TEST_STAGE=" + pi.stage().root().path().native();
  EXPECT_TRUE(eventually([&] { return processes_marked(marker).size() == 1; })) << "more than agentrun itself is left";
  EXPECT_EQ(program.wait().exit_code, 143);
}

TEST(Faults, TwoHundredRunsAtOnceAllEndWell) {
  const FakePi pi("reply");
  std::vector<std::unique_ptr<Program>> programs;
  for (int index = 0; index < 200; ++index) programs.push_back(std::make_unique<Program>(pi.invocation()));
  for (const auto& program : programs) {
    const Finished result = program->wait(std::chrono::seconds(150));
    EXPECT_EQ(result.exit_code, 0) << result.err << result.out;
  }
  EXPECT_TRUE(pi.stage().clean());
}

}  // namespace
}  // namespace agentrun::testing
