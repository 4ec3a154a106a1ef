// How runs of claude end when something goes wrong or somebody ends them.

#include <csignal>

#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

#include "claude_code_fixture.hpp"

namespace agentrun::testing {
namespace {

using ::testing::HasSubstr;

class RealClaudeEnding : public RealClaude {
 protected:
  void expect_failed(const Finished& result, const std::string& detail) const {
    EXPECT_EQ(result.exit_code, 1) << result.err << result.out;
    EXPECT_EQ(result.end().at("status"), "failed");
    EXPECT_EQ(result.end().at("exit_code"), 1);
    EXPECT_THAT(std::string(result.end().at("detail").as_string()), HasSubstr(detail));
    expect_nothing_left();
  }
};

TEST_F(RealClaudeEnding, SignalsAndTheTimeoutLeaveNothing) {
  for (const auto& [number, code] : std::map<int, int>{{SIGINT, 130}, {SIGTERM, 143}, {SIGHUP, 129}}) {
    model({bash("touch started; setsid sleep 1000 & sleep 1000")});
    std::filesystem::remove(stage_.work() / "started");
    Program program(invocation());
    ASSERT_TRUE(eventually([&] { return std::filesystem::exists(stage_.work() / "started"); }));
    program.signal(number);
    const Finished result = program.wait();
    EXPECT_EQ(result.exit_code, code);
    EXPECT_EQ(result.end().at("status"), "interrupted");
    EXPECT_EQ(result.events("tool").size(), 1U) << "the open call is told before the end";
    expect_nothing_left();
  }
  model({bash("sleep 1000")});
  const Finished result = run({"--timeout", "4"});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_EQ(result.end().at("status"), "timeout");
  expect_nothing_left();
}

TEST_F(RealClaudeEnding, ASignalDuringAnAnswerInterruptsIt) {
  ModelTurn turn = ModelTurn::say("a beginning");
  turn.ending = ModelTurn::Ending::hang;
  model({turn});
  Program program(invocation());
  ASSERT_TRUE(model_->wait_for_requests(1));
  program.signal(SIGINT);
  const Finished result = program.wait();
  EXPECT_EQ(result.exit_code, 130);
  EXPECT_EQ(result.end().at("status"), "interrupted");
  expect_nothing_left();
}

TEST_F(RealClaudeEnding, AWrongKeyFailsWithItsText) {
  model({ModelTurn::error(401, "wrong key")});
  expect_failed(run(), "wrong key");
  EXPECT_EQ(model_->requests().size(), 1U);
}

TEST_F(RealClaudeEnding, AnUnknownModelFailsWithItsName) {
  model({ModelTurn::error(404, "model: no-such-model")});
  expect_failed(run({"--model", "no-such-model"}), "no-such-model");
}

TEST_F(RealClaudeEnding, AnErrorOfTheServiceFailsWithItsText) {
  model({ModelTurn::error(400, "the service's own words")});
  expect_failed(run(), "the service's own words");
}

TEST_F(RealClaudeEnding, ARefusedConnectionFails) {
  // Bound and not listening: nobody else gets the port meanwhile.
  const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof address;
  ASSERT_EQ(::bind(socket, reinterpret_cast<sockaddr*>(&address), length), 0);
  ASSERT_EQ(::getsockname(socket, reinterpret_cast<sockaddr*>(&address), &length), 0);
  model({ModelTurn::say("never")});
  const Finished result =
      run({"--env", "ANTHROPIC_BASE_URL=http://127.0.0.1:" + std::to_string(ntohs(address.sin_port))});
  ::close(socket);
  expect_failed(result, "ECONNREFUSED");
  EXPECT_TRUE(model_->requests().empty());
}

TEST_F(RealClaudeEnding, AnUnknownArgumentFailsWithWhatClaudeSays) {
  model({ModelTurn::say("never")});
  expect_failed(run({"--", "--no-such-flag"}), "error: unknown option '--no-such-flag'");
}

TEST_F(RealClaudeEnding, AnAnswerThatBreaksOffFails) {
  ModelTurn cut = ModelTurn::say("half of it");
  cut.ending = ModelTurn::Ending::cut;
  model({cut});
  expect_failed(run(), "API Error");
}

}  // namespace
}  // namespace agentrun::testing
