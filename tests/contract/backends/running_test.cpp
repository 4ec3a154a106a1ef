// A confined command is still that command: its code, streams, environment and directory are its own.

#include "backend_contract.hpp"

namespace agentrun::contract {
namespace {

using ::testing::HasSubstr;

class Running : public BackendContract {};
INSTANTIATE_TEST_SUITE_P(Backends, Running, ::testing::ValuesIn(all_variants()), variant_name);

TEST_P(Running, PassesTheExitCodeThrough) {
  EXPECT_EQ(shell(builder(), "exit 0").code, 0);
  EXPECT_EQ(shell(builder(), "exit 1").code, 1);
  EXPECT_EQ(shell(builder(), "exit 42").code, 42);
}

TEST_P(Running, ShowsADeathBySignalInTheExitCode) {
  const auto exited = shell(builder(), "kill -TERM $$");
  EXPECT_TRUE(exited.code == 128 + SIGTERM || exited.signal == SIGTERM) << exited.code.value_or(-1);
}

TEST_P(Running, PassesArgumentsAsTheyAre) {
  const auto exited =
      shell(builder(), "printf '<%s>' \"$@\"", {"two words", "", "new\nline", "$(id)", "-x", "\xff'\""});
  EXPECT_EQ(exited.out, "<two words><><new\nline><$(id)><-x><\xff'\">");
}

TEST_P(Running, PassesStandardInputAndItsEnd) {
  const auto exited = shell(builder(), network(NetworkAccess::Kind::cut), "cat; echo end", {}, "first\nsecond\n");
  EXPECT_EQ(exited.out, "first\nsecond\nend\n");
}

TEST_P(Running, PassesStandardErrorApartFromStandardOutput) {
  const auto exited = shell(builder(), "echo out; echo err >&2");
  EXPECT_EQ(exited.out, "out\n");
  EXPECT_EQ(exited.err, "err\n");
}

TEST_P(Running, PassesTheEnvironment) {
  environment.push_back("GREETING=hello\nworld");
  EXPECT_EQ(shell(builder(), "printf %s \"$GREETING\"").out, "hello\nworld");
}

TEST_P(Running, WritesInTheWorkingAndTheSessionDirectory) {
  const auto exited = shell(builder(), "echo a > \"$1\"/file && echo b > \"$2\"/file", {cwd, session});
  EXPECT_EQ(exited.code, 0) << exited.err;
  EXPECT_EQ(testing::read_file(cwd / "file"), "a\n");
  EXPECT_EQ(testing::read_file(session / "file"), "b\n");
}

TEST_P(Running, HoldsNoDescriptorButTheStandardStreams) {
  // 3 is the directory that ls reads.
  EXPECT_EQ(shell(builder(), "exec ls /proc/self/fd").out, "0\n1\n2\n3\n");
}

TEST_P(Running, IgnoresAndBlocksNoSignal) {
  const auto exited = shell(builder(), signals_script);
  EXPECT_EQ(exited.out, "SigBlk:0\nSigIgn:0\n");
}

TEST_P(Running, CanUseTheUsualDevices) {
  const auto exited =
      shell(builder(), "echo x > /dev/null && head -c 4 /dev/zero | wc -c && head -c 4 /dev/urandom | wc -c");
  EXPECT_EQ(exited.code, 0) << exited.err;
  EXPECT_THAT(exited.out, HasSubstr("4"));
}

}  // namespace
}  // namespace agentrun::contract
