// What claude's tools and commands can reach.

#include <unistd.h>

#include "claude_code_fixture.hpp"
#include "http_server.hpp"

namespace agentrun::testing {
namespace {

using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

class RealClaudeConfined : public RealClaude {
 protected:
  /// The (host, allowed) pairs of the network events.
  [[nodiscard]] static std::vector<std::pair<std::string, bool>> network(const Finished& result) {
    std::vector<std::pair<std::string, bool>> seen;
    for (const json::object& event : result.events("network")) {
      seen.emplace_back(event.at("host").as_string(), event.at("allowed").as_bool());
    }
    return seen;
  }
};

TEST_F(RealClaudeConfined, CannotWriteOutsideByACommandNorByItsFileTools) {
  const std::string outside = (stage_.outside() / "o").native();
  const std::string there = stage_.root().write("outside/there", "old").native();
  model({bash("echo x > " + outside), call("Write", {{"file_path", outside}, {"content", "x"}}),
         call("Read", {{"file_path", there}}),
         call("Edit", {{"file_path", there}, {"old_string", "old"}, {"new_string", "new"}}),
         call("Bash", {{"command", "echo x > " + outside}, {"dangerouslyDisableSandbox", true}}),
         ModelTurn::say("No.")});
  const Finished result = run();
  EXPECT_EQ(result.exit_code, 0) << result.err << result.out;
  EXPECT_FALSE(std::filesystem::exists(outside));
  EXPECT_EQ(read_file(there), "old");
  EXPECT_EQ(result.events("tool").size(), 5U);
  EXPECT_EQ(denials(result).at(1), true);
  EXPECT_EQ(denials(result).at(3), true);
  EXPECT_THAT(model_->requests().at(1).body, HasSubstr("Read-only file system"));
}

TEST_F(RealClaudeConfined, CannotWriteOutsideThroughALink) {
  std::filesystem::create_directory_symlink(stage_.outside(), stage_.work() / "link");
  model({call("Write", {{"file_path", (stage_.work() / "link/o").native()}, {"content", "x"}}), bash("echo x > link/p"),
         ModelTurn::say("No.")});
  EXPECT_EQ(run().exit_code, 0);
  EXPECT_TRUE(std::filesystem::is_empty(stage_.outside()));
}

TEST_F(RealClaudeConfined, WritesInTheSessionDirectory) {
  model({bash("echo x > \"$TMPDIR/t\" && cat \"$TMPDIR/t\" && mktemp"), ModelTurn::say("Yes.")});
  const Finished result = run();
  EXPECT_EQ(result.exit_code, 0) << result.err << result.out;
  EXPECT_THAT(last_request(), HasSubstr(stage_.tmp().native() + "/agentrun-"));
  EXPECT_TRUE(stage_.clean());
}

// claude looks for bwrap in PATH again for every command.
TEST_F(RealClaudeConfined, StartsNoProgramThatTheAgentPlantedOutside) {
  const std::string bin = stage_.root().make("work/bin").native();
  const std::string outside = (stage_.outside() / "planted").native();
  std::string plant;
  for (const char* program : {"bwrap", "socat", "npm", "git", "node", "env", "id", "cat"}) {
    plant += "printf '#!/bin/sh\\necho " + std::string(program) + " >>" + outside + "\\n' > bin/" + program +
             "; /bin/chmod +x bin/" + program + "; ";
  }
  plant += "printf '#!/bin/sh\\necho from the project\\n' > bin/tool; /bin/chmod +x bin/tool";
  model({bash(plant), bash("tool > said"), ModelTurn::say("Done.")});
  Invocation call = invocation({"--network", "full"});
  call.environment["PATH"] = bin + ":" + call.environment["PATH"];
  for (int i = 0; i < 2; ++i) {
    const Finished result = agentrun::testing::run(call);
    EXPECT_EQ(result.exit_code, 0) << result.err << result.out;
  }
  EXPECT_FALSE(std::filesystem::exists(outside)) << read_file(outside);
  EXPECT_EQ(read_file(stage_.work() / "said"), "from the project\n") << "its commands have the whole PATH";
}

TEST_F(RealClaudeConfined, CannotReadADeniedPathByAnyTool) {
  const std::string file = stage_.root().write("outside/secret/SECRET-NAME", "SECRET-MARK").native();
  const std::string directory = (stage_.outside() / "secret").native();
  model({bash("cat " + file), bash("ls " + directory), call("Read", {{"file_path", file}}),
         call("Grep", {{"pattern", "SECRET"}, {"path", directory}, {"output_mode", "content"}}),
         call("Grep", {{"pattern", "SECRET"}, {"path", stage_.outside().native()}, {"output_mode", "content"}}),
         call("Glob", {{"pattern", "*"}, {"path", directory}}), ModelTurn::say("No.")});
  const Finished result = run({"--deny-read", directory});
  EXPECT_EQ(result.exit_code, 0) << result.err << result.out;
  EXPECT_EQ(result.events("tool").size(), 6U);
  EXPECT_EQ(denials(result).at(2), true);
  expect_never_sent("SECRET-MARK");
  // The commands themselves name it.
  const std::string last = last_request();
  std::size_t named = 0;
  for (std::size_t at = last.find("SECRET-NAME"); at != std::string::npos; at = last.find("SECRET-NAME", at + 1))
    ++named;
  EXPECT_LE(named, 3U) << "cat and its error, and Read";
}

TEST_F(RealClaudeConfined, CannotReadADeniedPathByAnotherNameOfIt) {
  const std::string file = stage_.root().write("outside/secret/s", "SECRET-MARK").native();
  const std::string directory = (stage_.outside() / "secret").native();
  std::filesystem::create_symlink(file, stage_.work() / "link");
  std::filesystem::create_directory_symlink(directory, stage_.work() / "directory");
  model({bash("cat link directory/s /proc/self/root" + file + "; ln -s " + file + " new; cat new"),
         call("Read", {{"file_path", (stage_.work() / "link").native()}}),
         call("Read", {{"file_path", (stage_.work() / "directory/s").native()}}),
         call("Read", {{"file_path", (stage_.work() / "new").native()}}),
         call("Read", {{"file_path", "/proc/self/root" + file}}),
         call("Read", {{"file_path", stage_.work().native() + "/../outside/./secret//s"}}),
         call("Grep",
              {{"pattern", "SECRET"}, {"path", (stage_.work() / "directory").native()}, {"output_mode", "content"}}),
         ModelTurn::say("No.")});
  const Finished result = run({"--deny-read", directory});
  EXPECT_EQ(result.exit_code, 0) << result.err << result.out;
  EXPECT_EQ(result.events("tool").size(), 7U);
  expect_never_sent("SECRET-MARK");
}

// claude attaches a file that the prompt names, before the model is asked.
TEST_F(RealClaudeConfined, AttachesNoDeniedFileThatThePromptNames) {
  const std::string open = stage_.root().write("outside/open", "OPEN-MARK").native();
  const std::string secret = stage_.root().write("outside/secret/s", "SECRET-MARK").native();
  model({ModelTurn::say("No.")});
  const Finished result = agentrun::testing::run(invocation(
      {"--prompt", "Look at @" + open + " and @" + secret, "--deny-read", (stage_.outside() / "secret").native()},
      *model_));
  EXPECT_EQ(result.exit_code, 0) << result.err << result.out;
  EXPECT_THAT(last_request(), HasSubstr("OPEN-MARK"));
  expect_never_sent("SECRET-MARK");
}

TEST_F(RealClaudeConfined, CannotReadADeniedPathWhoseNameIsAPattern) {
  std::vector<std::string> options;
  std::vector<ModelTurn> script;
  for (const char* name : {"[x]", "a*b", "(p) q", "back\\slash", "{c,d}"}) {
    const std::string file = stage_.root().write("outside/" + std::string(name) + "/s", "SECRET-MARK").native();
    options.insert(options.end(), {"--deny-read", (stage_.outside() / name).native()});
    script.push_back(call("Read", {{"file_path", file}}));
  }
  script.push_back(ModelTurn::say("No."));
  model(std::move(script));
  const Finished result = run(options);
  EXPECT_EQ(result.exit_code, 0) << result.err << result.out;
  EXPECT_THAT(denials(result), ElementsAre(true, true, true, true, true));
  expect_never_sent("SECRET-MARK");
}

TEST_F(RealClaudeConfined, CannotReadTheLoginsAndRecordsOfTheDefaultList) {
  for (const char* file : {"home/.ssh/id", "home/.aws/credentials", "home/.claude/projects/p/s.jsonl"}) {
    stage_.root().write(file, "SECRET-MARK");
  }
  model({bash("cat ~/.ssh/id ~/.aws/credentials ~/.claude/projects/p/s.jsonl ~/.claude.json"),
         call("Read", {{"file_path", (stage_.home() / ".ssh/id").native()}}),
         call("Read", {{"file_path", (stage_.home() / ".claude/projects/p/s.jsonl").native()}}),
         ModelTurn::say("No.")});
  const Finished result = run();
  EXPECT_EQ(result.exit_code, 0) << result.err << result.out;
  EXPECT_THAT(denials(result), ElementsAre(false, true, true));
  expect_never_sent("SECRET-MARK");
}

TEST_F(RealClaudeConfined, WritesInAWorkingDirectoryWhoseNameIsAPattern) {
  for (const char* name : {"a b,c", "[x]*", "p) Edit q", "(r)"}) {
    const std::string work = stage_.root().make("work/" + std::string(name)).native();
    const std::string sibling = (stage_.work() / "sibling").native();
    model({call("Write", {{"file_path", work + "/in"}, {"content", "x"}}),
           call("Write", {{"file_path", sibling}, {"content", "x"}}), bash("pwd > out"), ModelTurn::say("Yes.")});
    const Finished result = run({"--cwd", work});
    EXPECT_EQ(result.exit_code, 0) << result.err << result.out;
    EXPECT_TRUE(std::filesystem::exists(work + "/in")) << name;
    EXPECT_TRUE(std::filesystem::exists(work + "/out")) << name;
    EXPECT_FALSE(std::filesystem::exists(sibling)) << name;
  }
}

TEST_F(RealClaudeConfined, WritesInAWorkingDirectoryByTheNameOfALinkToIt) {
  const auto link = stage_.root() / "link";
  std::filesystem::create_directory_symlink(stage_.work(), link);
  model({call("Write", {{"file_path", (link / "a").native()}, {"content", "x"}}),
         call("Write", {{"file_path", (stage_.work() / "b").native()}, {"content", "x"}}),
         bash("echo x > " + (link / "c").native()), ModelTurn::say("Yes.")});
  const Finished result = run({"--cwd", link.native()});
  EXPECT_EQ(result.exit_code, 0) << result.err << result.out;
  for (const char* name : {"a", "b", "c"}) EXPECT_TRUE(std::filesystem::exists(stage_.work() / name)) << name;
}

TEST_F(RealClaudeConfined, HasNoNetworkByDefault) {
  const HttpServer server("never");
  model({bash("curl -sS -m 5 --noproxy '*' " + server.url() + "; curl -sS -m 5 --noproxy '' " + server.url() +
              "; curl -sS -m 5 http://name.invalid/"),
         call("WebFetch", {{"url", server.url()}, {"prompt", "p"}}), ModelTurn::say("No.")});
  const Finished result = run();
  EXPECT_EQ(result.exit_code, 0) << result.err << result.out;
  EXPECT_EQ(server.requests(), 0);
  EXPECT_TRUE(result.events("network").empty());
  EXPECT_THAT(model_->requests().front().body, Not(HasSubstr(R"("name":"WebFetch")")));
}

TEST_F(RealClaudeConfined, ReachesAnAllowedHostAndNoOtherInEveryWayThatItsSandboxOffers) {
  const HttpServer allowed("the answer");
  const HttpServer refused("never");
  // The sandbox's own NO_PROXY names loopback.
  const auto fetches = [](const HttpServer& server) {
    const std::string curl = "curl -sS -m 10 --noproxy '' ";
    return curl + server.url() + "; " + curl + "-p " + server.url() + "; " + curl + "-x \"$FTP_PROXY\" " + server.url();
  };
  model({bash("echo $FTP_PROXY; " + fetches(allowed)), bash(fetches(refused)),
         bash("curl -sS -m 5 --noproxy '*' " + allowed.url()), ModelTurn::say("Done.")});
  const Finished result = run({"--network", "custom", "--allow-host", allowed.authority()});
  EXPECT_EQ(result.exit_code, 0) << result.err << result.out;
  EXPECT_EQ(allowed.requests(), 3) << last_request();
  EXPECT_EQ(refused.requests(), 0);
  EXPECT_THAT(model_->requests().at(1).body, HasSubstr("socks5h://"));
  EXPECT_THAT(network(result), ElementsAre(std::pair("127.0.0.1", true), std::pair("127.0.0.1", false)));
  EXPECT_EQ(result.events("network").at(1).at("port"), refused.port());
  EXPECT_EQ(result.events("network").at(1).at("reason"), "not_allowed");
}

TEST_F(RealClaudeConfined, RefusesPrivateAddressesUnderAnOpenNetwork) {
  const HttpServer server("never");
  model({bash("curl -sS -m 10 --noproxy '' " + server.url()), ModelTurn::say("No.")});
  const Finished result = run({"--network", "full"});
  EXPECT_EQ(result.exit_code, 0) << result.err << result.out;
  EXPECT_EQ(server.requests(), 0);
  EXPECT_EQ(result.events("network").at(0).at("reason"), "private_address");
}

TEST_F(RealClaudeConfined, FetchesNoPageOfAHostWithoutARule) {
  model({call("WebFetch", {{"url", "https://other.invalid/"}, {"prompt", "p"}}),
         call("WebFetch", {{"url", "https://sub.allowed.invalid/"}, {"prompt", "p"}}), ModelTurn::say("No.")});
  const Finished result = run({"--network", "custom", "--allow-host", "allowed.invalid"});
  EXPECT_EQ(result.exit_code, 0) << result.err << result.out;
  EXPECT_THAT(denials(result), ElementsAre(true, true));
  EXPECT_THAT(model_->requests().front().body, HasSubstr(R"("name":"WebFetch")"));
  EXPECT_THAT(model_->requests().front().body, Not(HasSubstr(R"("name":"WebSearch")")));
}

TEST_F(RealClaudeConfined, FailsWhenItsSandboxBreaksAfterTheCheck) {
  // Good for the check alone.
  const auto bwrap =
      stage_.root().write("bin/bwrap",
                          "#!/bin/sh\ncase \"$*\" in *--version*|*/bin/true*) exec /usr/bin/bwrap \"$@\";; esac\n"
                          "echo 'bwrap: Creating new namespace failed: Operation not permitted' >&2\nexit 1\n");
  std::filesystem::permissions(bwrap, std::filesystem::perms::owner_all);
  model({bash("echo x > x"), ModelTurn::say("Done.")});
  const Finished result = run({"--path", (stage_.root() / "bin").native()});
  EXPECT_EQ(result.exit_code, 1) << result.err << result.out;
  EXPECT_EQ(result.end().at("status"), "failed");
  EXPECT_THAT(std::string(result.end().at("detail").as_string()), HasSubstr("sandbox failed to start: "));
  EXPECT_FALSE(std::filesystem::exists(stage_.work() / "x"));
}

TEST_F(RealClaudeConfined, IsRefusedWithoutWorkingTools) {
  const auto bwrap = stage_.root().write("bin/bwrap", "#!/bin/sh\necho 'bwrap: no' >&2\nexit 1\n");
  std::filesystem::permissions(bwrap, std::filesystem::perms::owner_all);
  model({ModelTurn::say("never")});
  const Finished result = run({"--path", (stage_.root() / "bin").native()});
  EXPECT_EQ(result.exit_code, 2) << result.err << result.out;
  EXPECT_THAT(std::string(result.end().at("detail").as_string()), HasSubstr("sandbox is not available"));
  EXPECT_TRUE(model_->requests().empty());
}

// As root, bubblewrap needs no user namespace; as anybody else it does.
TEST_F(RealClaudeConfined, HoldsForAnOrdinaryUser) {
  if (::geteuid() != 0) GTEST_SKIP() << "the other tests run as an ordinary user";
  constexpr uid_t nobody = 65534;
  const std::vector<std::string> as_nobody = {"/usr/bin/setpriv", "--reuid",        "65534", "--regid", "65534",
                                              "--clear-groups",   "--inh-caps=-all"};
  // The installed one may lie in a directory of root's alone.
  const auto claude = stage_.root().make("bin") / "claude";
  std::error_code other_disk;
  std::filesystem::create_hard_link(std::filesystem::canonical(agents_ / "claude"), claude, other_disk);
  if (other_disk) std::filesystem::copy_file(agents_ / "claude", claude);
  const std::string outside = (stage_.outside() / "o").native();
  const std::string secret = stage_.root().write("outside/secret", "SECRET-MARK").native();
  for (const auto& path : {stage_.root().path(), stage_.home(), stage_.work(), stage_.tmp(), stage_.outside(),
                           std::filesystem::path(secret)}) {
    ASSERT_EQ(::chown(path.c_str(), nobody, nobody), 0);
  }
  Invocation probe{{"-x", AGENTRUN_EXECUTABLE}, {}, "/", {}, "/usr/bin/test", as_nobody};
  if (agentrun::testing::run(probe).exit_code != 0)
    GTEST_SKIP() << "an ordinary user cannot start " AGENTRUN_EXECUTABLE;

  model({bash("id -u; echo x > in; echo x > " + outside + "; cat " + secret), ModelTurn::say("Done.")});
  agents_ = claude.parent_path();
  Invocation call = invocation({"--deny-read", secret});
  call.prefix = as_nobody;
  const Finished result = agentrun::testing::run(call);
  EXPECT_EQ(result.exit_code, 0) << result.err << result.out;
  EXPECT_THAT(last_request(), HasSubstr("65534\\n"));
  EXPECT_EQ(read_file(stage_.work() / "in"), "x\n");
  EXPECT_FALSE(std::filesystem::exists(outside));
  expect_never_sent("SECRET-MARK");
}

TEST_F(RealClaudeConfined, IsNotConfinedWithoutASandbox) {
  const std::string outside = (stage_.outside() / "o").native();
  const std::string secret = stage_.root().write("outside/secret", "SECRET-MARK").native();
  model({call("Write", {{"file_path", outside}, {"content", "x"}}), call("Read", {{"file_path", secret}}),
         ModelTurn::say("Done.")});
  const Finished result = run({"--sandbox", "off", "--deny-read", secret});
  EXPECT_EQ(result.exit_code, 0) << result.err << result.out;
  EXPECT_EQ(result.events("start").front().at("sandbox"), "none");
  EXPECT_EQ(read_file(outside), "x");
  EXPECT_THAT(denials(result), ElementsAre(false, true)) << "its own rules are left";
  expect_never_sent("SECRET-MARK");
}

}  // namespace
}  // namespace agentrun::testing
