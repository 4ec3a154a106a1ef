// Runs and commands behind Landlock, as a user meets them.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <csignal>
#include <fstream>

#include "fake_pi.hpp"
#include "http_server.hpp"

namespace agentrun::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class Landlock : public ::testing::Test {
 protected:
  void SetUp() override {
    const Finished tried = exec({}, {"true"});
    if (tried.exit_code == 0 || std::getenv("AGENTRUN_REQUIRE_ALL") != nullptr) return;
    GTEST_SKIP() << "Landlock does not work here: " << tried.err;
  }
  [[nodiscard]] std::vector<std::string> arguments(std::vector<std::string> options,
                                                   std::vector<std::string> command) const {
    std::vector<std::string> all{"exec", "--backend", "landlock"};
    all.insert(all.end(), options.begin(), options.end());
    all.emplace_back("--");
    all.insert(all.end(), command.begin(), command.end());
    return all;
  }
  [[nodiscard]] Finished exec(std::vector<std::string> options, std::vector<std::string> command) const {
    return stage_.run(arguments(std::move(options), std::move(command)));
  }
  Stage stage_;
};

TEST_F(Landlock, ConfinesACommandAndPassesItsCodeOn) {
  const Finished result =
      exec({}, {"/bin/sh", "-c", "echo x > \"$1\"/no; echo x > yes; exit 42", "sh", stage_.outside().native()});
  EXPECT_EQ(result.exit_code, 42);
  EXPECT_THAT(result.err, HasSubstr("Permission denied"));
  EXPECT_TRUE(std::filesystem::exists(stage_.work() / "yes"));
  EXPECT_FALSE(std::filesystem::exists(stage_.outside() / "no"));
  EXPECT_TRUE(stage_.clean());
}

TEST_F(Landlock, IsRecordedAsWhatItIs) {
  const auto events = stage_.root() / "events";
  EXPECT_EQ(exec({"--events", events.native()}, {"true"}).exit_code, 0);
  std::ifstream file(events);
  std::string line;
  ASSERT_TRUE(std::getline(file, line));
  const json::object start = json::parse(line).as_object();
  EXPECT_EQ(start.at("sandbox").as_string(), "landlock");
  EXPECT_TRUE(start.at("network").as_object().at("enforced").as_bool());
}

TEST_F(Landlock, SaysWhatItLacksInADryRun) {
  const Finished result = exec({"--dry-run"}, {"true"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.out + result.err, HasSubstr("shares the process list"));
}

TEST_F(Landlock, LetsAllowedHostsThroughTheProxyOnly) {
  const HttpServer server("hello");
  const std::string port = std::to_string(server.port());
  const std::string url = "http://127.0.0.1:" + port + "/";
  const std::vector<std::string> allow{"--network", "custom", "--allow-host", "127.0.0.1:" + port};
  EXPECT_THAT(exec(allow, {AGENTRUN_PROBE, "fetch", url}).out, HasSubstr("200"));
  EXPECT_THAT(exec({"--network", "full"}, {AGENTRUN_PROBE, "fetch", url}).out, HasSubstr("403"));
  EXPECT_EQ(exec(allow, {AGENTRUN_PROBE, "connect", "127.0.0.1", port}).out, "connect: Connection refused\n");
  EXPECT_EQ(exec({"--sandbox", "off", "--backend", "none"}, {AGENTRUN_PROBE, "connect", "127.0.0.1", port}).out,
            "connected\n")
      << "the control";
}

TEST_F(Landlock, RefusesADeniedPathInsideTheWorkingDirectory) {
  std::ofstream(stage_.work() / ".env") << "SECRET";
  const Finished result = exec({"--deny-read", (stage_.work() / ".env").native()}, {"cat", ".env"});
  EXPECT_EQ(result.exit_code, 125);
  EXPECT_THAT(result.err, HasSubstr("cannot hide"));
  EXPECT_EQ(result.out, "");
}

TEST_F(Landlock, EndsWithWhatAgentrunIsToldAndLeavesNothing) {
  for (const int signal : {SIGTERM, SIGINT}) {
    const std::string mark = "AGENTRUN_TEST_MARK=" + std::to_string(::getpid()) + "-" + std::to_string(signal);
    auto invocation = stage_.invocation(
        arguments({}, {"/bin/sh", "-c", "setsid sleep 1000 & trap 'exit 9' TERM INT; echo ready; wait; wait"}));
    invocation.environment["AGENTRUN_TEST_MARK"] = mark.substr(mark.find('=') + 1);
    Program program(invocation);
    ASSERT_TRUE(program.said("ready"));
    program.signal(signal);
    EXPECT_EQ(program.wait().exit_code, 128 + signal);
    EXPECT_TRUE(eventually([&] { return processes_marked(mark).empty(); }));
  }
}

TEST_F(Landlock, LeavesNothingWhenAgentrunIsKilled) {
  const std::string value = std::to_string(::getpid()) + "-killed";
  auto invocation = stage_.invocation(arguments(
      {}, {"/bin/sh", "-c", "setsid sh -c 'trap \"\" HUP TERM; sleep 1000' & sleep 1000 & echo ready; sleep 1000"}));
  invocation.environment["AGENTRUN_TEST_MARK"] = value;
  Program program(invocation);
  ASSERT_TRUE(program.said("ready"));
  EXPECT_FALSE(processes_marked("AGENTRUN_TEST_MARK=" + value).empty());
  program.signal(SIGKILL);
  EXPECT_TRUE(
      eventually([&] { return processes_marked("AGENTRUN_TEST_MARK=" + value).empty(); }, std::chrono::seconds(2)));
}

TEST_F(Landlock, RunsPiWithItsLockAndItsLogin) {
  const FakePi pi(
      "state=$HOME/.pi/agent; mkdir $state/auth.json.lock || exit 3; echo new > $state/auth.json || exit 4; "
      "rmdir $state/auth.json.lock || exit 5; echo x > $state/extensions.js; mkdir $state/extensions; "
      "echo x > \"$HOME\"/.bashrc; echo made > made; reply");
  const auto state = pi.stage().home() / ".pi" / "agent";
  std::filesystem::create_directories(state);
  std::ofstream(state / "auth.json") << "{}";
  const Finished result = pi.run({"--backend", "landlock"});
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  EXPECT_EQ(result.events("start").at(0).at("sandbox").as_string(), "landlock");
  EXPECT_EQ(result.end().at("status").as_string(), "finished");
  std::string login;
  std::ifstream(state / "auth.json") >> login;
  EXPECT_EQ(login, "new");
  EXPECT_FALSE(std::filesystem::exists(state / "auth.json.lock"));
  EXPECT_FALSE(std::filesystem::exists(state / "extensions"));
  EXPECT_FALSE(std::filesystem::exists(state / "extensions.js"));
  EXPECT_FALSE(std::filesystem::exists(pi.stage().home() / ".bashrc"));
  EXPECT_TRUE(std::filesystem::exists(pi.stage().work() / "made"));
}

TEST_F(Landlock, IsTakenWhereBubblewrapIsNotThere) {
  // A PATH without bwrap.
  const auto bin = stage_.root() / "bin";
  std::filesystem::create_directories(bin);
  auto invocation = stage_.invocation({"exec", "--debug", "--", "/bin/true"});
  invocation.environment["PATH"] = bin.native();
  const Finished result = run(invocation);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr("landlock"));
}

}  // namespace
}  // namespace agentrun::testing
