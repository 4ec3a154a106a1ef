// agentrun exec: any command under the policy, its streams and exit code passed through.

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "http_server.hpp"
#include "program.hpp"

namespace agentrun::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::vector<std::string> exec(std::vector<std::string> options, std::vector<std::string> command) {
  options.insert(options.begin(), "exec");
  options.emplace_back("--");
  options.insert(options.end(), command.begin(), command.end());
  return options;
}

std::vector<std::string> shell(const std::string& script, std::vector<std::string> options = {}) {
  return exec(std::move(options), {"/bin/sh", "-c", script});
}

TEST(Exec, PassesStreamsAndTheExitCodeThrough) {
  const Stage stage;
  const Finished result = stage.run(shell("cat; echo oops >&2; exit 7"), "given\n");
  EXPECT_EQ(result.exit_code, 7);
  EXPECT_EQ(result.out, "given\n");
  EXPECT_EQ(result.err, "oops\n");
  EXPECT_TRUE(stage.clean());
}

TEST(Exec, ReportsASignalAs128PlusItsNumber) {
  const Stage stage;
  EXPECT_EQ(stage.run(shell("kill -KILL $$")).exit_code, 137);
  EXPECT_EQ(stage.run(shell("kill -KILL $$", {"--sandbox", "off"})).exit_code, 137);
}

TEST(Exec, SaysNotFoundWith127AndNotExecutableWith126) {
  const Stage stage;
  const Finished missing = stage.run(exec({}, {"no-such-command"}));
  EXPECT_EQ(missing.exit_code, 127);
  EXPECT_EQ(missing.out, "");
  EXPECT_THAT(missing.err, HasSubstr("agentrun: command 'no-such-command' not found in PATH. "));

  stage.root().write("work/plain", "#!/bin/sh\n");
  const Finished plain = stage.run(exec({}, {"./plain"}));
  EXPECT_EQ(plain.exit_code, 126);
  EXPECT_EQ(plain.out, "");
  EXPECT_THAT(plain.err, HasSubstr("not an executable file"));
}

TEST(Exec, RefusesWith125OnStandardErrorOnly) {
  const Stage stage;
  const std::vector<std::vector<std::string>> bad{exec({"--no-such-option"}, {"true"}),
                                                  exec({"--cwd", "/nonexistent"}, {"true"}),
                                                  exec({"--network", "custom"}, {"true"}),
                                                  exec({"--allow-host", "a.test"}, {"true"}),
                                                  exec({"--backend", "none"}, {"true"}),
                                                  exec({"--backend", "missing"}, {"true"}),
                                                  exec({"--deny-read", "~/x"}, {"true"}),
                                                  exec({"--env", "NOT_SET_ANYWHERE"}, {"true"}),
                                                  exec({"--events", "/nonexistent/f"}, {"true"}),
                                                  exec({"--events", "fd:99"}, {"true"}),
                                                  {"exec", "--"},
                                                  {"exec"}};
  for (const auto& args : bad) {
    const Finished result = stage.run(args);
    EXPECT_EQ(result.exit_code, 125) << result.err;
    EXPECT_EQ(result.out, "");
    EXPECT_THAT(result.err, ::testing::StartsWith("agentrun: "));
  }
  EXPECT_TRUE(stage.clean());
}

TEST(Exec, WritesOnlyInTheWorkingAndSessionDirectory) {
  const Stage stage;
  const Finished result =
      stage.run(shell("echo a > inside && echo b > \"$TMPDIR/t\" && cat \"$TMPDIR/t\"; echo c > ../outside/o; echo d > "
                      "\"$HOME/h\"; true"));
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.out, "b\n");
  EXPECT_EQ(read_file(stage.work() / "inside"), "a\n");
  EXPECT_THAT(result.err, HasSubstr("Read-only file system"));
  EXPECT_TRUE(std::filesystem::is_empty(stage.outside()));
  EXPECT_TRUE(std::filesystem::is_empty(stage.home()));
}

TEST(Exec, CannotReadTheDefaultListNorDeniedPaths) {
  const Stage stage;
  stage.root().write("home/.ssh/id_ed25519", "KEY-MARK");
  stage.root().write("home/.netrc", "NETRC-MARK");
  stage.root().write("outside/secret", "SECRET-MARK");
  stage.root().write("outside/open", "OPEN-MARK");
  const std::string script = "cat ~/.ssh/id_ed25519 ~/.netrc ../outside/secret ../outside/open";
  const Finished denied = stage.run(shell(script, {"--deny-read", "../outside/secret"}));
  EXPECT_EQ(denied.out, "OPEN-MARK");
  const Finished open = stage.run(shell(script, {"--no-default-deny-read"}));
  EXPECT_THAT(open.out, HasSubstr("KEY-MARK"));
  EXPECT_THAT(open.out, HasSubstr("NETRC-MARK"));
  EXPECT_THAT(open.out, HasSubstr("SECRET-MARK"));
}

TEST(Exec, HasNoNetworkByDefault) {
  const HttpServer server("hello");
  const Stage stage;
  const auto connect = [&](std::vector<std::string> options) {
    return stage.run(exec(std::move(options), {AGENTRUN_PROBE, "connect", "127.0.0.1", std::to_string(server.port())}));
  };
  EXPECT_EQ(connect({"--sandbox", "off"}).out, "connected\n");
  EXPECT_THAT(connect({}).out, HasSubstr("connect: "));
  EXPECT_THAT(connect({"--network", "full"}).out, HasSubstr("connect: "));
}

TEST(Exec, ReachesAnAllowedHostAndIsRefusedAnother) {
  const HttpServer allowed("welcome");
  const HttpServer refused("never");
  const Stage stage;
  const std::filesystem::path events = stage.root() / "events.jsonl";
  const std::string probe(AGENTRUN_PROBE);
  const Finished result =
      stage.run(shell(probe + " fetch " + allowed.url() + "; " + probe + " fetch " + refused.url() + "; " + probe +
                          " fetch " + allowed.url(),
                      {"--network", "custom", "--allow-host", allowed.authority(), "--events", events.native()}));
  EXPECT_EQ(result.out,
            "200\nwelcome\n403\nagentrun: " + refused.authority() + " is not allowed (not_allowed)\n200\nwelcome\n");
  EXPECT_EQ(refused.requests(), 0);

  Finished stream;
  stream.out = read_file(events);
  ASSERT_EQ(stream.events().size(), 4U) << stream.out;
  EXPECT_EQ(stream.events().front().at("type"), "start");
  EXPECT_EQ(stream.events().front().at("sandbox"), "bubblewrap");
  const auto network = stream.events("network");
  ASSERT_EQ(network.size(), 2U);
  EXPECT_EQ(network[0].at("allowed"), true);
  EXPECT_EQ(network[0].at("port"), allowed.port());
  EXPECT_EQ(network[1].at("reason"), "not_allowed");
  EXPECT_EQ(stream.end().at("status"), "finished");
}

TEST(Exec, FullReachesNoPrivateAddress) {
  const HttpServer server("never");
  const Stage stage;
  const Finished result = stage.run(exec({"--network", "full"}, {AGENTRUN_PROBE, "fetch", server.url()}));
  EXPECT_EQ(result.out, "403\nagentrun: " + server.authority() + " is not allowed (private_address)\n");
}

TEST(Exec, InheritsNoDescriptorBut0And1And2) {
  const Stage stage;
  const int extra = ::open("/dev/null", O_RDONLY);  // without O_CLOEXEC: reaches agentrun
  ASSERT_GT(extra, 2);
  EXPECT_EQ(stage.run(exec({}, {AGENTRUN_PROBE, "descriptors"})).out, "0\n1\n2\n");
  EXPECT_EQ(stage.run(exec({"--sandbox", "off"}, {AGENTRUN_PROBE, "descriptors"})).out, "0\n1\n2\n");
  EXPECT_EQ(stage.run(exec({"--network", "full"}, {AGENTRUN_PROBE, "descriptors"})).out, "0\n1\n2\n");
  ::close(extra);
}

TEST(Exec, StartsWithEverySignalAtItsDefault) {
  const Stage stage;
  for (const char* sandbox : {"on", "off"}) {
    const Finished result =
        stage.run(exec({"--sandbox", sandbox}, {"/bin/grep", "-E", "Sig(Blk|Ign)", "/proc/self/status"}));
    EXPECT_EQ(result.out, "SigBlk:\t0000000000000000\nSigIgn:\t0000000000000000\n") << result.err;
  }
}

TEST(Exec, SetsTheSessionEnvironment) {
  const Stage stage;
  const auto file =
      stage.root().write("vars.env", "# comment\nexport FROM_FILE='a b'\nBOTH=file\nAGENTRUN_PI_AUTH=LEAK\n");
  Invocation call = stage.invocation(
      shell("env", {"--env-file", file.native(), "--env", "BOTH=option", "--env", "CALLER", "--network", "full"}));
  call.environment["CALLER"] = "mine";
  call.environment["AGENTRUN_SANDBOX"] = "on";
  call.environment["NO_PROXY"] = "everything.test";
  const Finished result = run(call);
  EXPECT_THAT(result.out, HasSubstr("FROM_FILE=a b\n"));
  EXPECT_THAT(result.out, HasSubstr("BOTH=option\n"));
  EXPECT_THAT(result.out, HasSubstr("CALLER=mine\n"));
  EXPECT_THAT(result.out, HasSubstr("TMPDIR=" + stage.tmp().native() + "/agentrun-"));
  EXPECT_THAT(result.out, HasSubstr("https_proxy=http://127.0.0.1:"));
  EXPECT_THAT(result.out, HasSubstr("NO_PROXY=\n"));
  EXPECT_THAT(result.out, Not(HasSubstr("AGENTRUN_PI_AUTH")));
  EXPECT_THAT(result.out, Not(HasSubstr("LEAK")));
  EXPECT_THAT(result.out, Not(HasSubstr("AGENTRUN_SANDBOX")));
}

TEST(Exec, WritesEventsToADescriptor) {
  const Stage stage;
  const std::filesystem::path file = stage.root() / "events";
  Invocation call =
      stage.invocation({"-c", std::string(AGENTRUN_EXECUTABLE) + " exec --events fd:7 -- true 7>" + file.native()});
  call.program = "/bin/sh";
  EXPECT_EQ(run(call).exit_code, 0);
  Finished stream;
  stream.out = read_file(file);
  EXPECT_EQ(stream.end().at("exit_code"), 0);
}

TEST(Exec, DryRunCreatesNothingAndShowsNoSecret) {
  const Stage stage;
  const Finished result =
      stage.run(shell("true", {"--dry-run", "--network", "custom", "--allow-host", "*.example.test:8443", "--env",
                               "TOKEN=SECRET-VALUE", "--deny-read", "/etc/hostname"}));
  EXPECT_EQ(result.exit_code, 0) << result.err;
  for (const char* name : {"command: ", "cwd: ", "PATH: ", "set: ", "removed: ", "agentrun variables: ", "backend: ",
                           "enforcement: ", "writable: ", "deny read: ", "network: ", "tempdir: "}) {
    EXPECT_THAT(result.out, HasSubstr(name));
  }
  EXPECT_THAT(result.out, HasSubstr("<tempdir>"));
  EXPECT_THAT(result.out, HasSubstr("<proxy port>"));
  EXPECT_THAT(result.out, HasSubstr("*.example.test:8443"));
  EXPECT_THAT(result.out, HasSubstr("TOKEN"));
  EXPECT_THAT(result.out, Not(HasSubstr("SECRET-VALUE")));
  EXPECT_TRUE(stage.clean());
}

TEST(Exec, DebugSaysFactsOnStandardErrorAndKeepsTheSessionDirectory) {
  const Stage stage;
  const Finished result = stage.run(shell("echo out", {"--debug"}));
  EXPECT_EQ(result.out, "out\n");
  EXPECT_THAT(result.err, HasSubstr("[debug] enforcement: full"));
  EXPECT_FALSE(stage.clean());
}

TEST(Exec, WorksInADirectoryWithAnOddName) {
  const Stage stage;
  const auto odd = stage.root().make("work/a \"b' $c\n-d");
  const Finished result = stage.run(shell("pwd > name; cat name", {"--cwd", odd.native(), "--network", "full"}));
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out, odd.native() + "\n");
}

TEST(Exec, RunsSixteenAtOnceWithoutDisturbingOneAnother) {
  const Stage stage;
  std::vector<std::unique_ptr<Program>> programs;
  for (int index = 0; index < 16; ++index) {
    programs.push_back(
        std::make_unique<Program>(stage.invocation(shell("echo " + std::to_string(index), {"--network", "full"}))));
  }
  for (int index = 0; index < 16; ++index) {
    const Finished result = programs[static_cast<std::size_t>(index)]->wait();
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_EQ(result.out, std::to_string(index) + "\n");
  }
  EXPECT_TRUE(stage.clean());
}

}  // namespace
}  // namespace agentrun::testing
