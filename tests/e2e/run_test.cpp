// A run of an agent: its events, its formats, its end.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>

#include "fake_pi.hpp"
#include "http_server.hpp"

namespace agentrun::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

std::vector<std::string> types(const Finished& result) {
  std::vector<std::string> names;
  for (const json::object& event : result.events()) names.emplace_back(event.at("type").as_string());
  return names;
}

TEST(Run, TellsItsStoryFromStartToEnd) {
  const FakePi pi("reply");
  const Finished result = pi.run();
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(types(result), ElementsAre("start", "prompt", "text", "usage", "end"));
  const json::object start = result.events().front();
  EXPECT_EQ(start.at("runtime"), "pi");
  EXPECT_EQ(start.at("sandbox"), "bubblewrap");
  EXPECT_EQ(start.at("network").at("enforced"), true);
  const std::string argv = json::serialize(start.at("argv"));
  EXPECT_THAT(argv, HasSubstr("<prompt 2 bytes>"));
  EXPECT_THAT(argv, Not(HasSubstr("\"go\"")));
  const json::object end = result.end();
  EXPECT_EQ(end.at("status"), "finished");
  EXPECT_EQ(end.at("exit_code"), 0);
  EXPECT_EQ(end.at("result"), "Done.");
  EXPECT_EQ(end.at("usage").at("output_tokens"), 2);
  EXPECT_TRUE(pi.stage().clean());
}

TEST(Run, DemoWritesInsideIsStoppedOutsideAndReachesOnlyTheAllowedHost) {
  const HttpServer allowed("welcome");
  const HttpServer refused("never");
  const Stage stage;
  stage.root().write("outside/secret", "SECRET-MARK");
  const std::string script = "#demo\nwrite inside.txt hello\nwrite " + (stage.outside() / "o").native() + " x\nread " +
                             (stage.outside() / "secret").native() + "\nfetch " + allowed.url() + "\nfetch " +
                             refused.url() + "\nsay all done\n";
  const Finished result = stage.run({"demo", "--network", "custom", "--allow-host", allowed.authority(), "--deny-read",
                                     (stage.outside() / "secret").native(), "--prompt", script, "--format", "jsonl"});
  EXPECT_EQ(result.exit_code, 0) << result.err << result.out;
  EXPECT_EQ(read_file(stage.work() / "inside.txt"), "hello\n");
  EXPECT_TRUE(!std::filesystem::exists(stage.outside() / "o"));
  EXPECT_THAT(result.out, Not(HasSubstr("SECRET-MARK")));
  EXPECT_EQ(allowed.requests(), 1);
  EXPECT_EQ(refused.requests(), 0);
  EXPECT_EQ(result.events("network").size(), 2U);
  EXPECT_EQ(result.events("tool").size(), 5U);
  EXPECT_EQ(result.end().at("result"), "all done");
}

TEST(Run, TextFormatShowsOneLineAnEvent) {
  const FakePi pi("reply");
  const Finished result = pi.run({"--format", "text"});
  EXPECT_THAT(result.out, HasSubstr("[main] prompt go\n[main] text Done.\n[end] finished "));
  const Finished off = pi.run({"--format", "text", "--sandbox", "off"});
  EXPECT_THAT(off.out,
              ::testing::StartsWith("[note] sandbox not running (--sandbox off). agentrun does not restrict "));
}

TEST(Run, RelaxRunsWithoutASandboxThatCannotStartAndSaysWhy) {
  const FakePi pi("reply");
  const auto broken =
      pi.stage().root().write("bin/bwrap", "#!/bin/sh\necho 'bwrap: no permission today' >&2\nexit 1\n");
  std::filesystem::permissions(broken, std::filesystem::perms::owner_all);
  const Finished relaxed = pi.run({"--sandbox", "relax", "--backend", "bwrap", "--format", "text"});
  EXPECT_EQ(relaxed.exit_code, 0);
  EXPECT_THAT(relaxed.out,
              HasSubstr("[note] sandbox not running (--sandbox relax: bwrap cannot start: bwrap: no permission today"));
  const Finished events = pi.run({"--sandbox", "relax", "--backend", "bwrap"});
  EXPECT_EQ(events.events().front().at("sandbox"), "none");
  EXPECT_EQ(events.events().front().at("network").at("enforced"), false);

  const Finished refused = pi.run({"--backend", "bwrap"});
  EXPECT_EQ(refused.exit_code, 2);
  ASSERT_EQ(refused.events().size(), 1U);
  const std::string detail(refused.end().at("detail").as_string());
  EXPECT_THAT(detail, HasSubstr("sandbox is not available: bwrap cannot start: bwrap: no permission today"));
  EXPECT_THAT(detail, HasSubstr("In a docker container use --sandbox off"));
  EXPECT_THAT(detail, HasSubstr("AppArmor profile"));
  EXPECT_EQ(refused.err, "agentrun: " + detail + "\n");
  EXPECT_TRUE(pi.stage().clean());
}

TEST(Run, ACheckThatHangsEndsWithASignal) {
  const FakePi pi("reply");
  const auto hanging = pi.stage().root().write(
      "bin/bwrap", "#!/bin/sh\necho checking > '" + (pi.stage().work() / "checking").native() + "'\nexec sleep 1000\n");
  std::filesystem::permissions(hanging, std::filesystem::perms::owner_all);
  Program program(pi.invocation());
  ASSERT_TRUE(eventually([&] { return std::filesystem::exists(pi.stage().work() / "checking"); }));
  program.signal(SIGTERM);
  const Finished result = program.wait(std::chrono::seconds(4));
  EXPECT_EQ(result.exit_code, 143);
  ASSERT_EQ(result.events().size(), 1U);
  EXPECT_EQ(result.end().at("status"), "interrupted");
  EXPECT_TRUE(processes_marked("AGENTRUN_TEST_STAGE=" + pi.stage().root().path().native()).empty());
}

class FickleSandbox : public ::testing::Test {
 protected:
  /// Good for the check, which runs /bin/true, and for nothing else.
  void SetUp() override {
    const auto fickle = pi_.stage().root().write(
        "bin/bwrap",
        "#!/bin/sh\ncase \"$*\" in *true) exit 0;; esac\necho 'bwrap: Creating new namespace failed' >&2\nexit 1\n");
    std::filesystem::permissions(fickle, std::filesystem::perms::owner_all);
  }
  const FakePi pi_{"reply"};
};

TEST_F(FickleSandbox, IsRefusedWhenItDoesNotStandAtTheStart) {
  const Finished result = pi_.run();
  EXPECT_EQ(result.exit_code, 2);
  ASSERT_EQ(result.events().size(), 1U);
  EXPECT_EQ(result.end().at("status"), "rejected");
  EXPECT_EQ(result.end().at("detail"), "sandbox is not available: bwrap: Creating new namespace failed");
  EXPECT_TRUE(pi_.stage().clean());
}

/// The plugins without the helper that lies beside them.
std::string plugins_without_door(const TempDir& root) {
  const auto built = std::filesystem::path(AGENTRUN_EXECUTABLE).parent_path().parent_path() / "lib/agentrun/plugins";
  std::filesystem::create_directories(root / "alone");
  std::filesystem::copy(built, root / "alone/plugins");
  return (root / "alone/plugins").native();
}

TEST_F(FickleSandbox, HasFailedWhenNothingHeldTheStartBack) {
  Invocation call = pi_.invocation();
  call.environment["AGENTRUN_PLUGIN_PATH"] = plugins_without_door(pi_.stage().root());
  const Finished result = run(call);
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_EQ(result.end().at("status"), "failed");
  EXPECT_EQ(result.end().at("detail"), "sandbox failed to start: Creating new namespace failed");
}

TEST(Run, WithoutTheDoorSocatCarriesTheNetwork) {
  const HttpServer allowed("welcome");
  const Stage stage;
  Invocation call = stage.invocation({"exec", "--network", "custom", "--allow-host", allowed.authority(), "--",
                                      AGENTRUN_PROBE, "fetch", allowed.url()});
  call.environment["AGENTRUN_PLUGIN_PATH"] = plugins_without_door(stage.root());
  const Finished result = run(call);
  EXPECT_EQ(result.out, "200\nwelcome\n") << result.err;
  call.args.insert(call.args.begin() + 1, "--dry-run");
  EXPECT_THAT(run(call).out, HasSubstr("socat"));
}

TEST(Run, TheDoorNeedsNoSocat) {
  const HttpServer allowed("welcome");
  const Stage stage;
  std::filesystem::create_directory(stage.root() / "tools");
  for (const char* tool : {"bwrap", "sh"}) {
    std::filesystem::create_symlink(std::string("/usr/bin/") + tool, stage.root() / ("tools/" + std::string(tool)));
  }
  Invocation call = stage.invocation({"exec", "--network", "custom", "--allow-host", allowed.authority(), "--",
                                      AGENTRUN_PROBE, "fetch", allowed.url()});
  call.environment["PATH"] = (stage.root() / "tools").native();
  EXPECT_EQ(run(call).out, "200\nwelcome\n");
}

TEST(Run, KeepsTheRawOutputAsItCame) {
  const FakePi pi("printf 'not json \\377\\000\\n'; reply; printf 'no newline'");
  const auto raw = pi.stage().root() / "raw";
  EXPECT_EQ(pi.run({"--raw", raw.native()}).exit_code, 0);
  EXPECT_EQ(read_file(raw), std::string("not json \xff\0\n", 12) + fake_pi_reply + "no newline");
}

TEST(Run, ExitCodesTellFailureFromRefusal) {
  const FakePi failing("echo it broke >&2; exit 9");
  const Finished failed = failing.run();
  EXPECT_EQ(failed.exit_code, 1);
  EXPECT_EQ(failed.end().at("status"), "failed");
  EXPECT_EQ(failed.end().at("exit_code"), 9);
  EXPECT_EQ(failed.end().at("detail"), "it broke");
  EXPECT_EQ(failed.err, "it broke\n");
}

TEST(Run, SignalsAndTheTimeoutLeaveNothing) {
  for (const auto& [number, code] : std::map<int, int>{{SIGINT, 130}, {SIGTERM, 143}}) {
    const FakePi pi("reply; sleep 1000 & setsid sleep 1000 & sleep 1000");
    Program program(pi.invocation());
    ASSERT_TRUE(program.said("\"usage\""));
    program.signal(number);
    const Finished result = program.wait();
    EXPECT_EQ(result.exit_code, code);
    EXPECT_EQ(result.end().at("status"), "interrupted");
    EXPECT_EQ(result.end().at("result"), "Done.");
    EXPECT_TRUE(pi.stage().clean());
    EXPECT_TRUE(processes_marked("AGENTRUN_TEST_STAGE=" + pi.stage().root().path().native()).empty());
  }
  const FakePi slow("reply; exec sleep 1000");
  const Finished result = slow.run({"--timeout", "1"});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_EQ(result.end().at("status"), "timeout");
  EXPECT_TRUE(slow.stage().clean());
}

TEST(Run, KillsPiWhenItUsesAnotherModelThanAskedFor) {
  const FakePi pi("reply; exec sleep 1000");
  Invocation call = pi.invocation();
  for (std::string& arg : call.args) {
    if (arg == "anthropic/m") arg = "anthropic/other";
  }
  const Finished result = run(call);
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_EQ(result.end().at("detail"), "pi uses anthropic/m, which does not match --model anthropic/other");
}

TEST(Run, MakesAStateDirectoryThatIsMissing) {
  const FakePi pi("mkdir ~/.pi/agent/auth.json.lock && rmdir ~/.pi/agent/auth.json.lock && reply");
  EXPECT_EQ(pi.run({"--dry-run"}).exit_code, 0);
  EXPECT_FALSE(std::filesystem::exists(pi.stage().home() / ".pi"));
  const Finished result = pi.run();
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(std::filesystem::status(pi.stage().home() / ".pi/agent").permissions(), std::filesystem::perms::owner_all);
}

TEST(Run, ReadsThePromptFromStandardInputAndFromAFile) {
  const Stage stage;
  const Finished piped = stage.run({"demo", "--format", "jsonl"}, "#demo\nsay from input\n");
  EXPECT_EQ(piped.end().at("result"), "from input");
  stage.root().write("prompt", "#demo\nsay from file\n");
  const Finished file = stage.run({"demo", "--format", "jsonl", "--prompt-file", "../prompt"});
  EXPECT_EQ(file.end().at("result"), "from file");
}

TEST(Run, TakesAPromptOfTenMegabytes) {
  const Stage stage;
  const std::string big = "#demo\n" + std::string(10U << 20, '\n') + "say read it all\n";
  const Finished result = stage.run({"demo", "--format", "jsonl"}, big);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.end().at("result"), "read it all");
}

TEST(Run, GivesPiAPromptThatDoesNotFitIntoACommandLineOnStandardInput) {
  const FakePi pi("cat > prompt; reply");
  Invocation call = pi.invocation();
  std::erase(call.args, "--prompt");
  std::erase(call.args, "go");
  call.input = std::string(1U << 20, 'x');
  EXPECT_EQ(run(call).exit_code, 0);
  EXPECT_EQ(read_file(pi.stage().work() / "prompt"), call.input);
}

}  // namespace
}  // namespace agentrun::testing
