// agentrun's side of a gate, with a shell or this test playing the inside.

#include "process/gate_keeper.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include <cerrno>
#include <csignal>

#include "agentrun/host/run.hpp"

namespace agentrun::host {
namespace {

constexpr std::chrono::seconds limit{20};

class Gates : public ::testing::Test {
 protected:
  void SetUp() override {
    block_job_signals();
    signals_.emplace(std::move(*SignalSource::open()));
    keeper_.emplace(std::move(*GateKeeper::make()));
    null_.reset(::open("/dev/null", O_RDWR | O_CLOEXEC));
    auto output = make_pipe();
    output_ = std::move(*output);
  }
  void TearDown() override {
    if (pid_ <= 0) return;
    ::kill(-pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }

  void start(const std::string& script) {
    SpawnRequest request;
    request.argv = {"/bin/bash", "-c", script};
    request.environment = {"PATH=/usr/bin:/bin"};
    request.cwd = "/";
    request.standard_input = null_.get();
    request.standard_output = output_.write.get();
    request.standard_error = output_.write.get();
    keeper_->add_to(request);
    const auto pid = spawn(request);
    ASSERT_TRUE(pid);
    pid_ = *pid;
    output_.write.reset();
  }
  /// Until the process has closed its end.
  std::string output() {
    std::string text;
    char buffer[4096];
    ssize_t count = 0;
    while ((count = ::read(output_.read.get(), buffer, sizeof buffer)) > 0) {
      text.append(buffer, static_cast<std::size_t>(count));
    }
    return text;
  }

  std::optional<SignalSource> signals_;
  std::optional<GateKeeper> keeper_;
  Descriptor null_;
  Pipe output_;
  pid_t pid_ = -1;
};

TEST_F(Gates, HoldTheCommandBackUntilItIsLetIn) {
  start("printf r >&3; read -rn1 go <&3; echo \"got $go\" >&4");
  const auto listener = keeper_->wait(*signals_, limit);
  ASSERT_TRUE(listener) << listener.error().message;
  EXPECT_FALSE(listener->valid());
  keeper_->let_in();
  EXPECT_EQ(output(), "got g\n");
}

TEST_F(Gates, TellTheWrappersOwnWordsWhenItEndsBeforeTheReport) {
  start("echo 'bwrap: cannot mount' >&2; echo more >&2; exit 1");
  const auto listener = keeper_->wait(*signals_, limit);
  ASSERT_FALSE(listener);
  EXPECT_EQ(listener.error().code, ErrorCode::unavailable);
  EXPECT_EQ(listener.error().message, "bwrap: cannot mount");
  EXPECT_EQ(output(), "");
}

TEST_F(Gates, GiveUpOnASandboxThatDoesNotStandInTime) {
  start("exec sleep 1000");
  const auto listener = keeper_->wait(*signals_, std::chrono::milliseconds(50));
  ASSERT_FALSE(listener);
  EXPECT_EQ(listener.error().code, ErrorCode::unavailable);
}

TEST_F(Gates, EndTheWaitingWhenASignalComes) {
  start("exec sleep 1000");
  ::kill(::getpid(), SIGTERM);
  const auto listener = keeper_->wait(*signals_, limit);
  ASSERT_FALSE(listener);
  EXPECT_EQ(listener.error().code, ErrorCode::interrupted);
}

TEST_F(Gates, EndTheInsideWhenAgentrunGoes) {
  start("printf r >&3; read -rn1 go <&3 || echo closed >&4");
  ASSERT_TRUE(keeper_->wait(*signals_, limit));
  keeper_.reset();
  EXPECT_EQ(output(), "closed\n");
}

}  // namespace
}  // namespace agentrun::host
