// doctor, with shell scripts in place of the agents and the real bubblewrap (or one that is broken on purpose).

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>

#include "http_server.hpp"
#include "program.hpp"

namespace agentrun::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

/// pi's first message from the model.
constexpr const char* answer =
    R"({"type":"message_start","message":{"role":"assistant","content":[],"provider":"anthropic","model":"m","stopReason":"pending"}})";

struct Check {
  std::string status;
  std::string detail;
};

class DoctorTest : public ::testing::Test {
 protected:
  /// An executable in front of the PATH.
  void script(const std::string& name, const std::string& text) const {
    const auto file = stage_.root().write("bin/" + name, "#!/bin/sh\n" + text + "\n");
    std::filesystem::permissions(file, std::filesystem::perms::owner_all);
  }
  /// A pi of this version that does `run` when it is to answer.
  void pi(const std::string& version, const std::string& run) const {
    script("pi", "[ \"$1\" = --version ] && { echo " + version + "; exit; }\n" + run);
  }
  void good_pi() const { pi("1.6.0", std::string("echo '") + answer + "'; exec sleep 1000"); }

  [[nodiscard]] Invocation invocation(std::vector<std::string> options) const {
    stage_.root().make("bin");
    options.insert(options.begin(), "doctor");
    options.insert(options.end(), {"--path", (stage_.root() / "bin").native()});
    return stage_.invocation(std::move(options));
  }
  [[nodiscard]] Finished doctor(std::vector<std::string> options) const {
    return agentrun::testing::run(invocation(std::move(options)));
  }
  /// Of one runtime, from a run with --json.
  static std::map<std::string, Check> checks(const Finished& finished, std::string_view runtime) {
    std::map<std::string, Check> result;
    boost::system::error_code error;
    const json::value value = json::parse(finished.out, error);
    if (error || !value.is_array()) {
      ADD_FAILURE() << "no array: " << finished.out << finished.err;
      return result;
    }
    for (const json::value& one : value.as_array()) {
      const json::object& object = one.as_object();
      EXPECT_EQ(object.size(), 4U);
      if (object.at("runtime").as_string() != runtime) continue;
      result[std::string(object.at("check").as_string())] = {std::string(object.at("status").as_string()),
                                                             std::string(object.at("detail").as_string())};
    }
    return result;
  }
  [[nodiscard]] std::map<std::string, Check> checks(std::string_view runtime, std::vector<std::string> options) const {
    options.insert(options.begin(), {std::string(runtime), "--json"});
    return checks(doctor(std::move(options)), runtime);
  }
  [[nodiscard]] Check login(std::vector<std::string> options) const {
    return checks("pi", std::move(options))["login"];
  }
  [[nodiscard]] Check sandbox(std::vector<std::string> options) const {
    options.insert(options.end(), {"--backend", "bwrap"});
    return checks("demo", std::move(options))["sandbox"];
  }
  void expect_nothing_left() const {
    EXPECT_TRUE(stage_.clean());
    EXPECT_THAT(processes_marked("AGENTRUN_TEST_STAGE=" + stage_.root().path().native()), IsEmpty());
  }

  Stage stage_;
};

TEST_F(DoctorTest, FindsAllInOrder) {
  good_pi();
  const Finished result = doctor({"pi", "--model", "anthropic/m"});
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  EXPECT_THAT(result.out, StartsWith("[ok]    pi  executable  " + (stage_.root() / "bin/pi").native() +
                                     " 1.6.0\n[ok]    pi  login       anthropic/m answers\n[ok]    pi  sandbox     "));
  EXPECT_THAT(result.out, HasSubstr("writes inside, not outside"));
  EXPECT_EQ(result.err, "");
  EXPECT_THAT(result.out, Not(HasSubstr("network"))) << "only where hosts can be reached";
  expect_nothing_left();
}

TEST_F(DoctorTest, ChecksEveryRuntimeWithoutAName) {
  good_pi();
  const Finished result = doctor({"--json", "--model", "anthropic/m"});
  EXPECT_EQ(checks(result, "pi")["executable"].status, "ok");
  EXPECT_EQ(checks(result, "demo")["executable"].status, "ok") << "which takes no model";
  EXPECT_EQ(checks(result, "demo")["login"].status, "skip");
  EXPECT_LT(result.out.find("\"pi\""), result.out.find("\"demo\""));
}

TEST_F(DoctorTest, TellsHowToInstallWhatIsMissing) {
  Invocation call = invocation({"pi", "--json", "--model", "anthropic/m"});
  call.environment["PATH"] = "/usr/bin:/bin";
  const Finished result = run(call);
  EXPECT_EQ(result.exit_code, 1);
  auto found = checks(result, "pi");
  EXPECT_EQ(found["executable"].status, "fail");
  EXPECT_THAT(found["executable"].detail,
              AllOf(StartsWith("pi not found in the session PATH. Install it: npm install"), HasSubstr("--path DIR")));
  EXPECT_EQ(found["login"].status, "skip");
  EXPECT_EQ(found["sandbox"].status, "ok") << "which needs no agent";
}

TEST_F(DoctorTest, FailsAnExecutableThatIsTooOldOrTellsNoVersion) {
  pi("1.0.0", "exit 1");
  EXPECT_THAT(checks("pi", {})["executable"].detail,
              HasSubstr("bin/pi 1.0.0 is too old, 1.0.1 or later is needed. Upgrade it: npm install"));
  pi("1.0.1", "exit 1");
  EXPECT_EQ(checks("pi", {})["executable"].status, "ok");
  pi("who knows", "exit 1");
  EXPECT_THAT(checks("pi", {})["executable"].detail, HasSubstr("names no version"));
  script("pi", "echo 'node is too old' >&2; exit 3");
  EXPECT_THAT(checks("pi", {})["executable"].detail, HasSubstr("--version failed (node is too old)"));
}

TEST_F(DoctorTest, FailsAnExecutableThatAnAgentCouldHavePlanted) {
  const auto file = stage_.root().write("work/bin/pi", "#!/bin/sh\necho 1.6.0\ntouch planted\n");
  std::filesystem::permissions(file, std::filesystem::perms::owner_all);
  const auto found = checks("pi", {"--path", file.parent_path().native()});
  EXPECT_EQ(found.at("executable").status, "fail");
  EXPECT_THAT(found.at("executable").detail, HasSubstr("a planted program would run outside the sandbox"));
}

TEST_F(DoctorTest, ComparesTheModelThatPiUses) {
  good_pi();
  EXPECT_EQ(login({"--model", "anthropic/m"}).status, "ok");
  EXPECT_EQ(login({"--model", "anthropic/m:high"}).status, "ok");
  EXPECT_EQ(login({"--model", "anthropic/n"}).detail,
            "pi uses anthropic/m and not anthropic/n. pi --list-models shows those that it knows");
  stage_.root().write("home/.pi/agent/settings.json", R"({"defaultProvider":"anthropic","defaultModel":"m"})");
  EXPECT_EQ(login({}).detail, "anthropic/m answers");
  stage_.root().write("home/.pi/agent/settings.json", R"({"defaultProvider":"anthropic"})");
  EXPECT_EQ(login({}).status, "ok");
  stage_.root().write("home/.pi/agent/settings.json", R"({"defaultProvider":"openai"})");
  EXPECT_EQ(login({}).status, "fail");
}

TEST_F(DoctorTest, TellsWhyPiCannotLogIn) {
  pi("1.6.0",
     std::string("echo 'Warning: Model \"m\" not found for provider \"anthropic\". Using custom model id.' >&2\n") +
         "echo '" + answer + "'; exec sleep 1000");
  EXPECT_THAT(login({"--model", "anthropic/m"}).detail, StartsWith("pi does not know the model anthropic/m. "));
  pi("1.6.0", "printf 'No API key found for anthropic.\\n\\nUse /login to log in. See:\\n' >&2; exit 1");
  EXPECT_THAT(
      login({"--model", "anthropic/m"}).detail,
      AllOf(StartsWith("pi says: No API key found for anthropic. Log in with /login"), HasSubstr("AGENTRUN_PI_AUTH")));
  pi("1.6.0",
     R"(echo '{"type":"message_start","message":{"role":"assistant","content":[],"provider":"anthropic","model":"m",)"
     R"("stopReason":"error","errorMessage":"401: bad key sk-SECRET"}}')");
  const Check refused = login({"--model", "anthropic/m"});
  EXPECT_THAT(refused.detail, StartsWith("the model service of anthropic/m refuses the login (401). Log in"));
  EXPECT_THAT(refused.detail, Not(HasSubstr("SECRET")));
  pi("1.6.0", "echo '{\"type\":\"agent_start\"}'");
  EXPECT_THAT(login({"--model", "anthropic/m"}).detail, StartsWith("pi ended without an answer of the model. "));
}

TEST_F(DoctorTest, LeavesPisStateAsItIsButForARefreshedLogin) {
  stage_.root().write("home/.pi/agent/auth.json", R"({"anthropic":{"type":"oauth"}})");
  stage_.root().write("home/.pi/agent/settings.json", R"({"defaultProvider":"anthropic"})");
  script("pi",
         "cd \"$PI_CODING_AGENT_DIR\" || exit 1; echo x > new; [ \"$1\" = --version ] && { echo 1.6.0; exit; }\n"
         "echo x > settings.json; echo fresh > auth.json\n" +
             std::string("echo '") + answer + "'; exec sleep 1000");
  EXPECT_EQ(login({}).status, "ok");
  EXPECT_EQ(read_file(stage_.home() / ".pi/agent/auth.json"), "fresh\n");
  EXPECT_EQ(read_file(stage_.home() / ".pi/agent/settings.json"), R"({"defaultProvider":"anthropic"})");
  EXPECT_FALSE(std::filesystem::exists(stage_.home() / ".pi/agent/new"));
  expect_nothing_left();
}

TEST_F(DoctorTest, MakesNoStateWhereThereIsNone) {
  script("pi", "touch \"$PI_CODING_AGENT_DIR/auth.json\"; echo 1.6.0");
  const auto found = checks("pi", {"--model", "anthropic/m"});
  EXPECT_EQ(found.at("sandbox").status, "ok") << found.at("sandbox").detail;
  EXPECT_FALSE(std::filesystem::exists(stage_.home() / ".pi"));
}

TEST_F(DoctorTest, WritesTheLoginOfAVariableAndNeverShowsIt) {
  good_pi();
  Invocation call = invocation({"pi", "--debug", "--model", "anthropic/m", "--env", "TOKEN=VALUE-SECRET"});
  call.environment["AGENTRUN_PI_AUTH"] = R"({"anthropic":{"type":"api_key","key":"LOGIN-SECRET"}})";
  const Finished result = run(call);
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  EXPECT_THAT(read_file(stage_.home() / ".pi/agent/auth.json"), HasSubstr("LOGIN-SECRET"));
  EXPECT_THAT(result.out + result.err, Not(HasSubstr("SECRET")));
  EXPECT_THAT(result.err, HasSubstr("[debug] credentials: AGENTRUN_PI_AUTH written to "));
  EXPECT_THAT(result.err, HasSubstr("[debug] command: "));

  stage_.root().write("file", "");
  call.environment["PI_CODING_AGENT_DIR"] = (stage_.root() / "file/below").native();
  const Finished refused = run(call);
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_EQ(refused.out, "");
  EXPECT_THAT(refused.err, AllOf(HasSubstr("AGENTRUN_PI_AUTH"), Not(HasSubstr("SECRET"))));
}

TEST_F(DoctorTest, StartsTheAgentInsideWithItsOwnDirectories) {
  pi("1.6.0", "exit 1");
  const Check good = checks("pi", {"--model", "anthropic/m"})["sandbox"];
  EXPECT_EQ(good.status, "ok") << good.detail;
  script("pi", "echo 1.6.0; touch '" + (stage_.outside() / "state").native() + "' || { echo 'no state' >&2; exit 1; }");
  const auto found = checks("pi", {"--model", "anthropic/m"});
  EXPECT_EQ(found.at("executable").status, "ok") << "outside it can";
  EXPECT_EQ(found.at("sandbox").status, "fail");
  EXPECT_THAT(found.at("sandbox").detail, HasSubstr("bin/pi does not start in the sandbox"));
}

TEST_F(DoctorTest, CountsTheDeniedPathsOfThisMachine) {
  stage_.root().write("home/.ssh/id", "KEY");
  stage_.root().write("home/.netrc", "KEY");
  EXPECT_THAT(sandbox({}).detail, HasSubstr("2 denied paths"));
  EXPECT_THAT(sandbox({"--deny-read", stage_.root().write("more", "x").native()}).detail, HasSubstr("3 denied paths"));
  const Check dropped = sandbox({"--no-default-deny-read"});
  EXPECT_THAT(dropped.detail, AllOf(HasSubstr("0 denied paths"), HasSubstr("default list dropped")));
}

TEST_F(DoctorTest, FindsThatAWrapperDoesNotConfine) {
  script("bwrap", R"(while [ "$1" != -- ]; do
  [ "$1" = --version ] && { echo bubblewrap 0.8.0; exit; }
  shift
done
shift
exec "$@")");
  const Check open = sandbox({});
  EXPECT_EQ(open.status, "fail");
  EXPECT_THAT(open.detail, AllOf(StartsWith("a command in the sandbox wrote "), HasSubstr("outside of it")));
}

TEST_F(DoctorTest, FindsThatAWrapperHidesNothing) {
  stage_.root().write("home/.netrc", "KEY");
  script("bwrap", R"(for argument; do
  shift
  [ "$argument" = /dev/null ] && argument=/etc/hostname
  set -- "$@" "$argument"
done
exec /usr/bin/bwrap "$@")");
  const Check open = sandbox({});
  EXPECT_EQ(open.status, "fail");
  EXPECT_THAT(open.detail, AllOf(StartsWith("a command in the sandbox read "), HasSubstr("which is denied")));
}

TEST_F(DoctorTest, TellsWhyThereIsNoSandboxAndWhatHelps) {
  script("bwrap", "echo 'bwrap: No permissions to create new namespace' >&2; exit 1");
  const Check broken = sandbox({});
  EXPECT_EQ(broken.status, "fail");
  EXPECT_THAT(broken.detail,
              AllOf(HasSubstr("bwrap cannot start: bwrap: No permissions"), HasSubstr("AppArmor profile"),
                    HasSubstr("--sandbox off"), HasSubstr("troubleshooting.md")));
  const Check relaxed = sandbox({"--sandbox", "relax"});
  EXPECT_EQ(relaxed.status, "skip");
  EXPECT_THAT(relaxed.detail, HasSubstr("bwrap cannot start"));
  EXPECT_EQ(checks("demo", {"--sandbox", "off"})["sandbox"].detail, "the sandbox is off");

  Invocation call = invocation({"demo", "--json", "--backend", "bwrap"});
  std::filesystem::remove(stage_.root() / "bin/bwrap");
  call.environment["PATH"] = (stage_.root() / "bin").native();
  EXPECT_THAT(checks(run(call), "demo")["sandbox"].detail,
              AllOf(HasSubstr("bwrap not found in PATH"), HasSubstr("apt-get install bubblewrap"),
                    HasSubstr("dnf install bubblewrap")));
}

TEST_F(DoctorTest, TriesAnAllowedAndARefusedHostFromInside) {
  const HttpServer server("hello");
  const std::vector<std::string> custom{"--network", "custom", "--allow-host", server.authority()};
  EXPECT_EQ(checks("demo", custom)["network"].detail,
            server.authority() + " is reached, doctor-check.invalid:443 is refused");
  const auto full = checks("demo", {"--network", "full"});
  EXPECT_THAT(full.at("network").detail, StartsWith("169.254.169.254:80 is refused"));
  EXPECT_EQ(full.at("network").status, "ok");
}

TEST_F(DoctorTest, FailsWhenTheAllowedHostIsNotReached) {
  std::string closed;
  {
    const HttpServer server("gone");
    closed = server.authority();
  }
  const Check network = checks("demo", {"--network", "custom", "--allow-host", closed})["network"];
  EXPECT_EQ(network.status, "fail");
  EXPECT_THAT(network.detail, AllOf(StartsWith(closed + " was not reached from inside: "), HasSubstr("refused"),
                                    HasSubstr("Check the name")));
}

TEST_F(DoctorTest, SkipsTheNetworkWithoutASandbox) {
  const auto found = checks("demo", {"--network", "full", "--sandbox", "off"});
  EXPECT_EQ(found.at("network").status, "skip");
}

TEST_F(DoctorTest, RefusesWhatNoRunCouldStartWith) {
  for (const auto& [options, reason] : std::vector<std::pair<std::vector<std::string>, std::string>>{
           {{"nosuch"}, "no runtime plugin 'nosuch'"},
           {{"pi", "--model", "m"}, "--model for pi must be provider/model"},
           {{"demo", "--model", "a/m"}, "--model: demo cannot do that"},
           {{"demo", "--backend", "none"}, "--backend none runs without a sandbox"},
           {{"--backend", "none"}, "--backend none runs without a sandbox"},
           {{"demo", "--env-file", "/nonexistent/file"}, "--env-file /nonexistent/file"},
           {{"demo", "--deny-read", "~/x"}, "--deny-read ~/x: ~ is not expanded"},
           {{"demo", "--deny-read", stage_.root().path().native()}, "contains the working directory"},
           {{"demo", "--env", "NOT_THERE"}, "--env NOT_THERE"},
           {{"demo", "--network", "custom"}, "--allow-host"}}) {
    const Finished result = doctor(options);
    EXPECT_EQ(result.exit_code, 2) << reason;
    EXPECT_EQ(result.out, "") << reason;
    EXPECT_THAT(result.err, AllOf(StartsWith("agentrun: "), HasSubstr(reason)));
  }
  Invocation call = invocation({"demo"});
  call.environment["AGENTRUN_SANDBOX"] = "maybe";
  EXPECT_EQ(run(call).exit_code, 2);
  expect_nothing_left();
}

TEST_F(DoctorTest, FailsABrokenPluginAndGoesOn) {
  stage_.root().write("plugins/agentrun-runtime-junk.so", "no module");
  Invocation call = invocation({"--json", "--backend", "bwrap"});
  call.environment["AGENTRUN_PLUGIN_PATH"] = (stage_.root() / "plugins").native();
  const Finished result = run(call);
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_EQ(checks(result, "junk")["executable"].status, "fail");
  EXPECT_EQ(checks(result, "demo")["sandbox"].status, "ok");
}

TEST_F(DoctorTest, PrintsWhatIsDoneWhenASignalComes) {
  for (const char* hanging : {"version", "login"}) {
    script("pi", std::string("[ \"$1\" = --version ] && echo 1.6.0 && [ ") + hanging + " = login ] && exit\n" +
                     "touch '" + (stage_.outside() / "started").native() + "'; exec sleep 1000");
    for (const auto& [number, code] : std::map<int, int>{{SIGINT, 130}, {SIGTERM, 143}, {SIGHUP, 129}}) {
      std::filesystem::remove(stage_.outside() / "started");
      Program program(invocation({"demo", "pi", "--json"}));
      ASSERT_TRUE(eventually([&] { return std::filesystem::exists(stage_.outside() / "started"); }));
      program.signal(number);
      const Finished result = program.wait();
      EXPECT_EQ(result.exit_code, code);
      EXPECT_EQ(checks(result, "demo").size(), 3U);
      EXPECT_EQ(checks(result, "pi").size(), std::string(hanging) == "login" ? 1U : 0U);
      expect_nothing_left();
    }
  }
}

TEST_F(DoctorTest, EndsWhatHangsInsideWhenASignalComes) {
  script("pi",
         "[ -w '" + stage_.outside().native() + "' ] && echo 1.6.0 && exit\ntouch \"$PWD/started\"; exec sleep 1000");
  Program program(invocation({"pi", "--model", "anthropic/m"}));
  const auto hangs_inside = [&] {
    for (const auto& entry : std::filesystem::directory_iterator(stage_.tmp())) {
      if (std::filesystem::exists(entry.path() / "work/started")) return true;
    }
    return false;
  };
  ASSERT_TRUE(eventually(hangs_inside));
  program.signal(SIGINT);
  const Finished result = program.wait();
  EXPECT_EQ(result.exit_code, 130);
  EXPECT_THAT(result.out, AllOf(HasSubstr("executable"), Not(HasSubstr("sandbox"))));
  expect_nothing_left();
}

}  // namespace
}  // namespace agentrun::testing
