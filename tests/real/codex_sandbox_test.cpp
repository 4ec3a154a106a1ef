// The real codex's sandbox, with agentrun's policy.

#include <unistd.h>

#include "codex_fixture.hpp"
#include "http_server.hpp"

namespace agentrun::testing {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

TEST_F(RealCodex, CannotWriteOutsideByItsShellNorByAPatchAndTellsBothCalls) {
  const std::string shell_target = (stage_.outside() / "s").native();
  const std::string patch_target = (stage_.outside() / "p").native();
  model({shell("echo x > " + shell_target), patch(patch_target), shell("echo x > /var/tmp/agentrun-test-codex"),
         ModelTurn::say("Could not.")});
  const Finished result = run();
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_TRUE(std::filesystem::is_empty(stage_.outside()));
  EXPECT_FALSE(std::filesystem::exists("/var/tmp/agentrun-test-codex"));
  EXPECT_THAT(request(1), HasSubstr("Read-only file system"));
  EXPECT_THAT(request(2), HasSubstr("patch rejected"));
  // codex's own output has the patch never, and the commands only sometimes.
  EXPECT_THAT(tools_of(result),
              ::testing::UnorderedElementsAre("shell: echo x > " + shell_target, "patch: " + patch_target,
                                              "shell: echo x > /var/tmp/agentrun-test-codex"));
  for (const json::object& event : result.events("tool")) {
    EXPECT_EQ(event.at("denied"), event.at("name") == "patch") << json::serialize(event);
  }
}

// codex looks for bwrap in PATH again for every command.
TEST_F(RealCodex, StartsNoProgramThatTheAgentPlantedOutside) {
  const std::string bin = stage_.root().make("work/bin").native();
  const std::string outside = (stage_.outside() / "planted").native();
  std::string plant;
  for (const char* program : {"bwrap", "git", "node", "env", "cat"}) {
    plant += "printf '#!/bin/sh\\necho " + std::string(program) + " >>" + outside + "\\n' > bin/" + program +
             "; /bin/chmod +x bin/" + program + "; ";
  }
  plant += "printf '#!/bin/sh\\necho from the project\\n' > bin/tool; /bin/chmod +x bin/tool";
  model({shell(plant), shell("tool > said"), ModelTurn::say("Done.")});
  Invocation call = invocation({"--network", "full"});
  call.environment["PATH"] = bin + ":" + call.environment["PATH"];
  for (int i = 0; i < 2; ++i) {
    const Finished result = agentrun::testing::run(call);
    EXPECT_EQ(result.exit_code, 0) << result.err << result.out;
  }
  EXPECT_FALSE(std::filesystem::exists(outside)) << read_file(outside);
  EXPECT_EQ(read_file(stage_.work() / "said"), "from the project\n") << "its commands have the whole PATH";
}

TEST_F(RealCodex, NotesAnArgumentThatReplacesItsSandbox) {
  model({ModelTurn::say("Hello.")});
  const std::vector<std::string> more{"-c", "sandbox_mode=\"read-only\""};
  Invocation call = invocation();
  call.args.insert(call.args.end(), more.begin(), more.end());
  const Finished result = agentrun::testing::run(call);
  EXPECT_EQ(result.exit_code, 0) << result.err << result.out;
  ASSERT_EQ(result.events("note").size(), 1U) << result.out;
  EXPECT_THAT(std::string(result.events("note")[0].at("text").as_string()), HasSubstr("replaces the sandbox"));
}

TEST_F(RealCodex, TellsACommandThatFailsAtOnceInAScriptOfCalls) {
  const std::string target = (stage_.outside() / "s").native();
  model({ModelTurn::call("exec", "const r = await tools.exec_command({cmd: 'echo x > " + target + "'}); text(r);"),
         ModelTurn::say("Could not.")});
  const Finished result = run();
  EXPECT_EQ(result.exit_code, 0) << result.err;
  ASSERT_EQ(tools_of(result).size(), 1U);
  EXPECT_THAT(tools_of(result)[0], HasSubstr("echo x > " + target));
}

TEST_F(RealCodex, CannotReadADeniedPath) {
  const auto secret = stage_.root().write("outside/secret", "SECRET-MARK");
  stage_.root().write("outside/closed/inner", "SECRET-MARK");
  stage_.root().write("work/closed/inner", "SECRET-MARK");
  model({shell("cat " + secret.native() + " ../outside/closed/inner closed/inner; ls ../outside/closed"),
         ModelTurn::say("No.")});
  const Finished result = run({"--deny-read", secret.native(), "--deny-read", "../outside/closed", "--deny-read",
                               (stage_.work() / "closed").native()});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(seen_by_model(), Not(HasSubstr("SECRET-MARK")));
}

TEST_F(RealCodex, CannotReadItsLogin) {
  model({shell("cat \"$CODEX_HOME/auth.json\" ~/.codex/auth.json; env"), ModelTurn::say("No.")});
  EXPECT_EQ(run().exit_code, 0);
  EXPECT_THAT(request(1), HasSubstr("CODEX_HOME="));
  EXPECT_THAT(seen_by_model(), Not(HasSubstr("sk-login-of-the-user")));
}

TEST_F(RealCodex, WritesItsSessionDirectoryAndNotTmp) {
  model({shell("echo x > \"$TMPDIR/inside\" && echo WROTE-INSIDE; echo x > /tmp/agentrun-test-codex; "
               "echo x > \"$CODEX_HOME/x\"; echo SAID"),
         ModelTurn::say("Done.")});
  EXPECT_EQ(run().exit_code, 0);
  EXPECT_THAT(request(1), HasSubstr("WROTE-INSIDE"));
  EXPECT_FALSE(std::filesystem::exists("/tmp/agentrun-test-codex"));
  expect_nothing_left();
}

TEST_F(RealCodex, HasNoNetworkByDefault) {
  const HttpServer server("never");
  model({shell(std::string(AGENTRUN_PROBE) + " connect 127.0.0.1 " + std::to_string(server.port()) + "; echo SAID"),
         ModelTurn::say("No.")});
  EXPECT_EQ(run().exit_code, 0);
  EXPECT_EQ(server.requests(), 0);
  EXPECT_THAT(request(1), HasSubstr("connect: "));
}

TEST_F(RealCodex, IsNotWidenedByAnEarlierAgent) {
  stage_.root().write("work/.codex/config.toml",
                      "[permissions.agentrun.filesystem]\n\"" + stage_.outside().native() +
                          "\" = \"write\"\n[permissions.agentrun.network]\nenabled = true\n");
  model({shell("echo x > " + (stage_.outside() / "o").native() + "; echo SAID"), ModelTurn::say("No.")});
  EXPECT_EQ(run().exit_code, 0);
  EXPECT_TRUE(std::filesystem::is_empty(stage_.outside()));
}

TEST_F(RealCodex, IsNotConfinedWithTheSandboxOff) {
  const std::string target = (stage_.outside() / "o").native();
  model({shell("echo x > " + target), ModelTurn::say("Wrote it.")});
  const Finished result = run({"--sandbox", "off"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(read_file(target), "x\n");
  EXPECT_EQ(result.events("start").front().at("sandbox"), "none");
}

TEST_F(RealCodex, IsRefusedWhereBwrapCannotStart) {
  stage_.root().write("bin/bwrap", "#!/bin/sh\necho 'bwrap: broken by the test' >&2\nexit 1\n");
  std::filesystem::permissions(stage_.root() / "bin/bwrap", std::filesystem::perms::owner_all);
  model({ModelTurn::say("never")});
  const Finished result = run({"--path", (stage_.root() / "bin").native()});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(std::string(result.end().at("detail").as_string()),
              HasSubstr("sandbox is not available: bwrap cannot start: bwrap: broken by the test"));
  EXPECT_TRUE(model_->requests().empty());
}

TEST_F(RealCodex, FailsWhenTheSandboxBreaksAfterTheCheck) {
  stage_.root().write("bin/bwrap",
                      "#!/bin/sh\ncase \"$*\" in *codex-linux-sandbox*) echo 'bwrap: broken by the test' >&2; exit 1;; "
                      "esac\nexec /usr/bin/bwrap \"$@\"\n");
  std::filesystem::permissions(stage_.root() / "bin/bwrap", std::filesystem::perms::owner_all);
  model({shell("echo x > inside"), ModelTurn::say("Done.")});
  const Finished result = run({"--path", (stage_.root() / "bin").native()});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_EQ(result.end().at("exit_code"), 0) << "codex itself does not tell";
  EXPECT_EQ(result.end().at("detail"), "sandbox failed to start: bwrap: broken by the test");
  EXPECT_FALSE(std::filesystem::exists(stage_.work() / "inside"));
}

TEST_F(RealCodex, StartsAnyCommandInItsSandbox) {
  const std::string target = (stage_.outside() / "o").native();
  Invocation call = stage_.invocation({"exec", "--backend", "codex", "--path", agents_.native(), "--", "/bin/sh", "-c",
                                       "echo in > inside; echo x > " + target + "; exit 7"});
  const Finished result = agentrun::testing::run(call);
  EXPECT_EQ(result.exit_code, 7) << result.err;
  EXPECT_EQ(read_file(stage_.work() / "inside"), "in\n");
  EXPECT_FALSE(std::filesystem::exists(target));
  EXPECT_THAT(result.err, HasSubstr("Read-only file system"));
}

TEST_F(RealCodex, SandboxOfACommandIsNotWidenedByATrustedProject) {
  stage_.root().write("home/.codex/config.toml",
                      "[projects.\"" + stage_.work().native() + "\"]\ntrust_level = \"trusted\"\n");
  stage_.root().write("work/.codex/config.toml",
                      "[permissions.agentrun.filesystem]\n\"" + stage_.outside().native() + "\" = \"write\"\n");
  const std::string target = (stage_.outside() / "o").native();
  Invocation call = stage_.invocation(
      {"exec", "--backend", "codex", "--path", agents_.native(), "--", "/bin/sh", "-c", "echo x > " + target});
  EXPECT_NE(agentrun::testing::run(call).exit_code, 0);
  EXPECT_FALSE(std::filesystem::exists(target));
}

}  // namespace
}  // namespace agentrun::testing
