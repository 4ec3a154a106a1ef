#include "process/process_tree.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>

#include "system/descriptor.hpp"

namespace agentrun::host {
namespace {

/// A shell whose child and grandchild sleep; ready when it has said so.
pid_t start_family(const Pipe& pipe) {
  const pid_t pid = ::fork();
  if (pid == 0) {
    ::dup2(pipe.write.get(), 1);
    ::execl("/bin/sh", "sh", "-c", "sh -c 'sleep 1000 & echo ready; wait' & wait", nullptr);
    ::_exit(127);
  }
  char byte = 0;
  while (::read(pipe.read.get(), &byte, 1) == 1 && byte != '\n') {
  }
  return pid;
}

class ProcessTree : public ::testing::Test {
 protected:
  void SetUp() override { pipe_ = std::move(*make_pipe()); }
  Pipe pipe_;
};

TEST_F(ProcessTree, DescendsLevelByLevel) {
  const pid_t shell = start_family(pipe_);
  const auto child = descend(shell, 1);
  const auto grandchild = descend(shell, 2);
  ASSERT_TRUE(child);
  ASSERT_TRUE(grandchild);
  EXPECT_EQ(children_of(shell), std::vector<pid_t>{*child});
  EXPECT_EQ(children_of(*child), std::vector<pid_t>{*grandchild});
  EXPECT_EQ(descend(shell, 0), shell);
  EXPECT_EQ(descend(shell, 3), std::nullopt);
  for (const pid_t pid : {*grandchild, *child, shell}) ::kill(pid, SIGKILL);
  ::waitpid(shell, nullptr, 0);
}

TEST_F(ProcessTree, KillsOrphansAndSparesWhoWasThereBefore) {
  // In a process of its own: being a subreaper would change the test runner.
  const pid_t runner = ::fork();
  if (runner == 0) {
    become_subreaper();
    const pid_t before = ::fork();
    if (before == 0) {
      ::pause();
      ::_exit(0);
    }
    start_family(pipe_);
    kill_descendants({before}, std::chrono::seconds(20));
    const bool good = children_of(::getpid()) == std::vector<pid_t>{before};
    ::kill(before, SIGKILL);
    ::_exit(good ? 0 : 1);
  }
  int status = 0;
  ::waitpid(runner, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

}  // namespace
}  // namespace agentrun::host
