// How runs of dsh end when something goes wrong or somebody ends them.

#include <csignal>

#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

#include "dsh_fixture.hpp"

namespace agentrun::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class RealDshEnding : public RealDsh {
 protected:
  void expect_failed(const Finished& result, const std::string& detail) const {
    EXPECT_EQ(result.exit_code, 1) << result.err << result.out;
    EXPECT_EQ(result.end().at("status"), "failed");
    EXPECT_EQ(result.end().at("exit_code"), 1);
    EXPECT_THAT(std::string(result.end().at("detail").as_string()), HasSubstr(detail));
    expect_nothing_left();
  }
};

TEST_F(RealDshEnding, SignalsAndTheTimeoutLeaveNothing) {
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
  const Finished result = run({"--timeout", "5"});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_EQ(result.end().at("status"), "timeout");
  expect_nothing_left();
}

TEST_F(RealDshEnding, ASignalDuringAnAnswerInterruptsIt) {
  ModelTurn turn = ModelTurn::say("a beginning");
  turn.ending = ModelTurn::Ending::hang;
  model({turn});
  Program program(invocation());
  ASSERT_TRUE(model_->wait_for_requests(1));
  program.signal(SIGTERM);
  const Finished result = program.wait();
  EXPECT_EQ(result.exit_code, 143);
  EXPECT_EQ(result.end().at("status"), "interrupted");
  expect_nothing_left();
}

TEST_F(RealDshEnding, ASignalDuringASubagentEndsIt) {
  model({subagent("sub job", "Wait"), bash("touch started; sleep 1000")});
  Program program(invocation());
  ASSERT_TRUE(eventually([&] { return std::filesystem::exists(stage_.work() / "started"); }));
  program.signal(SIGINT);
  const Finished result = program.wait();
  EXPECT_EQ(result.exit_code, 130);
  EXPECT_EQ(result.events("subagent_end").front().at("status"), "failed");
  expect_nothing_left();
}

TEST_F(RealDshEnding, AWrongKeyFailsWithItsText) {
  model({ModelTurn::error(401, "wrong key")});
  expect_failed(run(), "AUTH: wrong key");
  EXPECT_EQ(model_->requests().size(), 1U);
}

TEST_F(RealDshEnding, NoKeyFailsBeforeARequest) {
  model({ModelTurn::say("never")});
  expect_failed(run({"--env", "DEEPSEEK_API_KEY="}), "MISSING_CREDENTIAL: ");
  EXPECT_TRUE(model_->requests().empty());
}

TEST_F(RealDshEnding, AnUnknownModelFailsWithWhatTheServiceSays) {
  model({ModelTurn::error(400, "Model Not Exist")});
  expect_failed(run({"--model", "nope-9"}), "Model Not Exist");
  EXPECT_THAT(last_request(), HasSubstr(R"("model":"nope-9")"));
}

// dsh tries again for a quarter of a minute.
TEST_F(RealDshEnding, ARefusedConnectionFails) {
  // Bound and not listening: nobody else gets the port meanwhile.
  const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof address;
  ASSERT_EQ(::bind(socket, reinterpret_cast<sockaddr*>(&address), length), 0);
  ASSERT_EQ(::getsockname(socket, reinterpret_cast<sockaddr*>(&address), &length), 0);
  model({ModelTurn::say("never")});
  const std::string target = "127.0.0.1:" + std::to_string(ntohs(address.sin_port));
  const Finished result = run({"--env", "DEEPSEEK_BASE_URL=http://" + target, "--allow-host", target});
  ::close(socket);
  expect_failed(result, "TRANSPORT: ");
  EXPECT_THAT(std::string(result.end().at("detail").as_string()), Not(HasSubstr("refused")));
  EXPECT_TRUE(model_->requests().empty());
}

TEST_F(RealDshEnding, AServiceThatThePolicyRefusesIsNamed) {
  model({ModelTurn::say("never")});
  expect_failed(run({"--env", "DEEPSEEK_BASE_URL=http://model.test"}),
                "(the network policy refused model.test:80 (not_allowed))");
  EXPECT_TRUE(model_->requests().empty());
}

TEST_F(RealDshEnding, AnUnknownArgumentFailsWithWhatDshSays) {
  model({ModelTurn::say("never")});
  expect_failed(run({"--", "--no-such-flag"}), "error: unknown option '--no-such-flag'");
}

TEST_F(RealDshEnding, AWordBehindTheArgumentsIsNotTakenForTheTask) {
  model({ModelTurn::say("never")});
  expect_failed(run({"--", "word"}), "unexpected arguments: word -");
  EXPECT_TRUE(model_->requests().empty());
}

TEST_F(RealDshEnding, AnEffortThatDshDoesNotKnowIsRefused) {
  model({ModelTurn::say("never")});
  const Finished result = run({"--effort", "huge"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("--effort for dsh must be off, low, high or max, got 'huge'"));
}

TEST_F(RealDshEnding, AnAnswerThatBreaksOffFails) {
  ModelTurn cut = ModelTurn::say("half of it");
  cut.ending = ModelTurn::Ending::cut;
  model({cut});
  const Finished result = run();
  EXPECT_EQ(result.exit_code, 1) << result.err << result.out;
  EXPECT_EQ(result.end().at("status"), "failed");
  expect_nothing_left();
}

}  // namespace
}  // namespace agentrun::testing
