// What dsh's tools and commands can reach.

#include "dsh_fixture.hpp"

namespace agentrun::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

class RealDshConfined : public RealDsh {};

TEST_F(RealDshConfined, CannotWriteOutsideByACommandNorByItsFileTools) {
  const std::string outside = (stage_.outside() / "o").native();
  const std::string there = stage_.root().write("outside/there", "old").native();
  model({bash("echo x > " + outside), call("write", {{"file_path", outside}, {"content", "x"}}),
         call("read", {{"file_path", there}}),
         call("edit", {{"file_path", there}, {"old_string", "old"}, {"new_string", "new"}}),
         call("str_replace_editor",
              {{"command", "str_replace"}, {"path", there}, {"old_str", "old"}, {"new_str", "new"}}),
         ModelTurn::say("No.")});
  const Finished result = run();
  EXPECT_EQ(result.exit_code, 0) << result.err << result.out;
  EXPECT_FALSE(std::filesystem::exists(outside));
  EXPECT_EQ(read_file(there), "old");
  EXPECT_EQ(result.events("tool").size(), 5U);
  for (const json::object& tool : result.events("tool")) EXPECT_EQ(tool.at("denied"), false);
  EXPECT_THAT(model_->requests().at(1).body, HasSubstr("Read-only file system"));
  for (const std::size_t request : {2U, 4U, 5U}) EXPECT_THAT(model_->requests().at(request).body, HasSubstr("EROFS"));
}

TEST_F(RealDshConfined, CannotReadADeniedPathByAnyTool) {
  const std::string file = stage_.root().write("outside/secret/SECRET-NAME", "SECRET-MARK").native();
  const std::string directory = (stage_.outside() / "secret").native();
  model({bash("cat " + file), call("read", {{"file_path", file}}),
         call("grep", {{"pattern", "SECRET-M"}, {"path", directory}}),
         call("grep", {{"pattern", "SECRET-M"}, {"path", stage_.outside().native()}}),
         call("glob", {{"pattern", "**/SECRET*"}, {"path", stage_.outside().native()}}),
         call("read_image", {{"file_path", file}}), ModelTurn::say("No.")});
  const Finished result = run({"--deny-read", directory});
  EXPECT_EQ(result.exit_code, 0) << result.err << result.out;
  EXPECT_EQ(result.events("tool").size(), 6U);
  expect_never_sent("SECRET-MARK");
  EXPECT_THAT(result.out, HasSubstr("\"name\":\"glob\""));
}

TEST_F(RealDshConfined, CannotReadTheLoginsAndRecordsOfTheDefaultList) {
  for (const char* file : {"home/.ssh/id", "home/.aws/credentials", "home/.dsh/.env", "home/.dsh/.credentials.yaml",
                           "home/.dsh/sessions/s.jsonl"}) {
    stage_.root().write(file, "SECRET-MARK");
  }
  model({bash("cat ~/.ssh/id ~/.aws/credentials ~/.dsh/.env ~/.dsh/.credentials.yaml ~/.dsh/sessions/s.jsonl"),
         call("read", {{"file_path", (stage_.home() / ".dsh/.env").native()}}), ModelTurn::say("No.")});
  EXPECT_EQ(run().exit_code, 0);
  expect_never_sent("SECRET-MARK");
}

TEST_F(RealDshConfined, ReadsNotTheEnvFileOfTheHomeThatTheCallerNames) {
  stage_.root().write("other/.env", "SECRET=SECRET-MARK\n");
  model({bash("cat ../other/.env"), ModelTurn::say("No.")});
  Invocation call = invocation();
  call.environment["DSH_HOME"] = (stage_.root() / "other").native();
  EXPECT_EQ(agentrun::testing::run(call).exit_code, 0);
  expect_never_sent("SECRET-MARK");
}

TEST_F(RealDshConfined, ReachesAnAllowedHostAndNoOtherInEveryWayThatTheProxySpeaks) {
  const HttpServer allowed("the answer");
  const HttpServer refused("never");
  const auto fetches = [](const HttpServer& server) {
    const std::string curl = "curl -sS -m 10 --noproxy '' ";
    return curl + server.url() + "; " + curl + "-p " + server.url() + "; " + curl +
           "-x \"socks5h://${HTTP_PROXY#*://}\" " + server.url();
  };
  model({bash(fetches(allowed)), bash(fetches(refused)), bash("curl -sS -m 5 --noproxy '*' " + allowed.url()),
         ModelTurn::say("Done.")});
  const Finished result = run({"--allow-host", allowed.authority()});
  EXPECT_EQ(result.exit_code, 0) << result.err << result.out;
  EXPECT_EQ(allowed.requests(), 3) << last_request();
  EXPECT_EQ(refused.requests(), 0);
  EXPECT_THAT(model_->requests().at(1).body, HasSubstr("the answerthe answerthe answer"));
  EXPECT_THAT(model_->requests().at(2).body, HasSubstr("is not allowed (not_allowed)"));
  bool seen = false;
  for (const json::object& event : result.events("network")) {
    if (event.at("port") != refused.port()) continue;
    seen = true;
    EXPECT_EQ(event.at("allowed"), false);
    EXPECT_EQ(event.at("reason"), "not_allowed");
  }
  EXPECT_TRUE(seen);
}

TEST_F(RealDshConfined, IsRefusedAServiceOnAnotherPortBeforeItStarts) {
  model({ModelTurn::say("never")});
  const std::string url = "DEEPSEEK_BASE_URL=" + model_->url("");
  const Finished result = stage_.run({"dsh", "--path", agents_.native(), "--format", "jsonl", "--env", url, "--env",
                                      "DEEPSEEK_API_KEY=test-key", "--prompt", "x"});
  EXPECT_EQ(result.exit_code, 2) << result.out;
  EXPECT_EQ(result.end().at("status"), "rejected");
  EXPECT_THAT(std::string(result.end().at("detail").as_string()),
              HasSubstr("Use --network custom --allow-host 127.0.0.1:" + std::to_string(model_->port())));
}

TEST_F(RealDshConfined, FailsWhenItsSandboxBreaksAfterTheCheck) {
  // Good for the check alone.
  const auto bwrap =
      stage_.root().write("bin/bwrap",
                          "#!/bin/sh\ncase \"$*\" in *bin/dsh*) ;; *) exec /usr/bin/bwrap \"$@\";; esac\n"
                          "echo 'bwrap: Creating new namespace failed: Operation not permitted' >&2\nexit 1\n");
  std::filesystem::permissions(bwrap, std::filesystem::perms::owner_all);
  model({bash("echo x > x"), ModelTurn::say("Done.")});
  const Finished result = run({"--path", (stage_.root() / "bin").native()});
  EXPECT_NE(result.exit_code, 0) << result.err << result.out;
  EXPECT_THAT(std::string(result.end().at("detail").as_string()), HasSubstr("Creating new namespace failed"));
  EXPECT_FALSE(std::filesystem::exists(stage_.work() / "x"));
  EXPECT_TRUE(model_->requests().empty());
}

TEST_F(RealDshConfined, IsNotConfinedWithoutASandbox) {
  const std::string outside = (stage_.outside() / "o").native();
  model({call("write", {{"file_path", outside}, {"content", "x"}}), ModelTurn::say("Done.")});
  const Finished result = run({"--sandbox", "off"});
  EXPECT_EQ(result.exit_code, 0) << result.err << result.out;
  EXPECT_EQ(result.events("start").front().at("sandbox"), "none");
  EXPECT_EQ(read_file(outside), "x");
}

TEST_F(RealDshConfined, DoesNotHandTheKeyToItsCommands) {
  model({bash("env; tr '\\0' '\\n' < /proc/self/environ"), ModelTurn::say("Done.")});
  EXPECT_EQ(run().exit_code, 0);
  EXPECT_THAT(last_request(), HasSubstr("DEEPSEEK_BASE_URL"));
  EXPECT_THAT(last_request(), Not(HasSubstr("test-key")));
}

}  // namespace
}  // namespace agentrun::testing
