#include "process/check_runner.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "agentrun/host/run.hpp"

namespace agentrun::host {
namespace {

using ::testing::ElementsAre;

class CheckRunnerTest : public ::testing::Test {
 protected:
  void SetUp() override {
    block_job_signals();
    ASSERT_TRUE(signals_);
  }

  [[nodiscard]] CheckRun shell(const std::string& script, std::function<bool(std::string_view)> enough = {}) {
    CheckRunner runner(*search_, {}, {"PATH=/usr/bin:/bin"}, *signals_);
    CheckCommand command{"/bin/sh", "-c", script};
    command.enough = std::move(enough);
    return runner.run(command);
  }

  Result<SearchPath> search_ = SearchPath::make({}, "/usr/bin:/bin", {"/", "/"});
  Result<SignalSource> signals_ = SignalSource::open();
};

TEST_F(CheckRunnerTest, ShowsEachLineEvenOfACommandThatEndsAtOnce) {
  for (int round = 0; round < 50; ++round) {
    std::vector<std::string> lines;
    const CheckRun run = shell("echo one; echo two", [&](std::string_view line) {
      lines.emplace_back(line);
      return false;
    });
    EXPECT_THAT(lines, ElementsAre("one", "two"));
    EXPECT_EQ(run.output, "one\ntwo\n");
    EXPECT_EQ(run.exit_code, 0);
  }
}

TEST_F(CheckRunnerTest, EndsACommandThatHasSaidEnough) {
  const CheckRun run =
      shell("echo first; echo enough; exec sleep 1000", [](std::string_view line) { return line == "enough"; });
  EXPECT_EQ(run.exit_code, std::nullopt);
  EXPECT_FALSE(run.timed_out);
  EXPECT_EQ(run.output, "first\nenough\n");
}

TEST_F(CheckRunnerTest, DoesNotWaitForAnOrphanThatGoesOnTalking) {
  const CheckRun run =
      shell("setsid sh -c 'trap \"\" PIPE; while echo more; do :; done 2>/dev/null' & sleep 0.1; exit 3");
  EXPECT_EQ(run.exit_code, 3);
  EXPECT_LE(run.output.size(), 65536U);
}

}  // namespace
}  // namespace agentrun::host
