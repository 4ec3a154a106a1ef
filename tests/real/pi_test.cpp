// The real pi against a scripted model, in bubblewrap without a network of its own.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>

#include "http_server.hpp"
#include "model_server.hpp"
#include "program.hpp"

namespace agentrun::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

ModelTurn bash(const std::string& command) {
  return ModelTurn::call("bash", json::serialize(json::object{{"command", command}}));
}

class RealPi : public ::testing::Test {
 protected:
  void SetUp() override {
    const char* directory = std::getenv("AGENTRUN_AGENTS_DIR");
    if (directory == nullptr || !std::filesystem::exists(std::filesystem::path(directory) / "bin/pi")) {
      if (std::getenv("AGENTRUN_REQUIRE_ALL") != nullptr) {
        FAIL() << "no pi in AGENTRUN_AGENTS_DIR (scripts/npm-agents installs it)";
      }
      GTEST_SKIP() << "no pi in AGENTRUN_AGENTS_DIR (scripts/npm-agents installs it)";
    }
    agents_ = std::filesystem::path(directory) / "bin";
  }

  void model(std::vector<ModelTurn> script) {
    model_ = std::make_unique<ModelServer>(std::move(script));
    const json::value models{
        {"providers",
         {{"demo",
           {{"baseUrl", model_->url()},
            {"api", "openai-completions"},
            {"apiKey", "test-key"},
            {"models",
             json::array{{{"id", "demo-1"}, {"name", "demo-1"}, {"input", json::array{"text", "image"}}}}}}}}}};
    stage_.root().write("state/models.json", json::serialize(models));
  }

  [[nodiscard]] Invocation invocation(std::vector<std::string> options = {}) const {
    std::vector<std::string> args{"pi",
                                  "--path",
                                  agents_.native(),
                                  "--model",
                                  "demo/demo-1",
                                  "--format",
                                  "jsonl",
                                  "--network",
                                  "custom",
                                  "--allow-host",
                                  "127.0.0.1:" + std::to_string(model_->port())};
    args.insert(args.end(), options.begin(), options.end());
    Invocation call = stage_.invocation(std::move(args));
    call.environment["PI_CODING_AGENT_DIR"] = (stage_.root() / "state").native();
    return call;
  }
  [[nodiscard]] Finished run(std::vector<std::string> options = {"--prompt", "Do it"}) const {
    return agentrun::testing::run(invocation(std::move(options)));
  }
  /// What the model saw in its last request.
  [[nodiscard]] std::string last_request() const { return model_->requests().back().body; }
  void expect_nothing_left() const {
    EXPECT_TRUE(stage_.clean());
    EXPECT_TRUE(processes_marked("AGENTRUN_TEST_STAGE=" + stage_.root().path().native()).empty());
  }

  Stage stage_;
  std::filesystem::path agents_;
  std::unique_ptr<ModelServer> model_;
};

TEST_F(RealPi, WritesAFileWithItsBashToolAndTellsTheStory) {
  model({bash("echo hello > hello.txt && cat hello.txt"), ModelTurn::say("Wrote it.")});
  const Finished result = run({"--prompt", "Write hello.txt"});
  EXPECT_EQ(result.exit_code, 0) << result.err << result.out;
  EXPECT_EQ(read_file(stage_.work() / "hello.txt"), "hello\n");
  std::vector<std::string> types;
  for (const json::object& event : result.events()) types.emplace_back(event.at("type").as_string());
  EXPECT_EQ(types.front(), "start");
  EXPECT_EQ(types.back(), "end");
  for (const char* type : {"prompt", "network", "tool", "text", "usage"}) {
    EXPECT_THAT(types, ::testing::Contains(type));
  }
  EXPECT_EQ(result.events("prompt").front().at("text"), "Write hello.txt");
  const json::object tool = result.events("tool").front();
  EXPECT_EQ(tool.at("name"), "bash");
  EXPECT_EQ(tool.at("summary"), "echo hello > hello.txt && cat hello.txt");
  EXPECT_EQ(result.events("usage").front().at("model"), "demo/demo-1");
  EXPECT_EQ(result.events("network").front().at("allowed"), true);
  EXPECT_EQ(result.end().at("result"), "Wrote it.");
  EXPECT_EQ(result.end().at("exit_code"), 0);
  EXPECT_THAT(last_request(), HasSubstr("hello"));
  expect_nothing_left();
}

TEST_F(RealPi, CannotWriteOutside) {
  const std::string target = (stage_.outside() / "o").native();
  model({bash("echo x > " + target),
         ModelTurn::call("write", json::serialize(json::object{{"path", target}, {"content", "x"}})),
         ModelTurn::say("Could not.")});
  const Finished result = run();
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_FALSE(std::filesystem::exists(target));
  EXPECT_EQ(result.events("tool").size(), 2U);
  EXPECT_THAT(model_->requests().at(1).body, HasSubstr("Read-only file system"));
  EXPECT_THAT(last_request(), HasSubstr("EROFS"));
}

TEST_F(RealPi, CannotReadADeniedFileByItsShellNorItsReadTool) {
  const auto secret = stage_.root().write("outside/secret", "SECRET-MARK");
  model({bash("cat " + secret.native()),
         ModelTurn::call("read", json::serialize(json::object{{"path", secret.native()}})), ModelTurn::say("No.")});
  const Finished result = run({"--prompt", "Do it", "--deny-read", secret.native()});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  for (const ModelRequest& request : model_->requests()) EXPECT_THAT(request.body, Not(HasSubstr("SECRET-MARK")));
}

TEST_F(RealPi, IsRefusedAHostThatIsNotAllowedAndCanReadWhy) {
  const HttpServer refused("never");
  model({bash(std::string(AGENTRUN_PROBE) + " fetch " + refused.url()), ModelTurn::say("Refused.")});
  const Finished result = run();
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(refused.requests(), 0);
  bool seen = false;
  for (const json::object& event : result.events("network")) {
    if (event.at("port") == refused.port()) {
      seen = true;
      EXPECT_EQ(event.at("allowed"), false);
      EXPECT_EQ(event.at("reason"), "not_allowed");
    }
  }
  EXPECT_TRUE(seen);
  EXPECT_THAT(last_request(), HasSubstr("is not allowed (not_allowed)"));
}

TEST_F(RealPi, HasNoNetworkButTheProxy) {
  const HttpServer server("never");
  model({bash(std::string(AGENTRUN_PROBE) + " connect 127.0.0.1 " + std::to_string(server.port())),
         ModelTurn::say("No.")});
  EXPECT_EQ(run().exit_code, 0);
  EXPECT_EQ(server.requests(), 0);
  EXPECT_THAT(last_request(), HasSubstr("connect: "));
}

TEST_F(RealPi, SignalsAndTheTimeoutEndItWithNothingLeft) {
  for (const auto& [number, code] : std::map<int, int>{{SIGINT, 130}, {SIGTERM, 143}}) {
    model({bash("touch started; setsid sleep 1000 & sleep 1000")});
    std::filesystem::remove(stage_.work() / "started");
    Program program(invocation({"--prompt", "Do it"}));
    ASSERT_TRUE(eventually([&] { return std::filesystem::exists(stage_.work() / "started"); }));
    program.signal(number);
    const Finished result = program.wait();
    EXPECT_EQ(result.exit_code, code);
    EXPECT_EQ(result.end().at("status"), "interrupted");
    EXPECT_EQ(result.events("tool").size(), 1U) << "the open call is told before the end";
    expect_nothing_left();
  }
  model({bash("sleep 1000")});
  const Finished result = run({"--prompt", "Do it", "--timeout", "5"});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_EQ(result.end().at("status"), "timeout");
  expect_nothing_left();
}

TEST_F(RealPi, AModelThatFailsIsAFailureWithItsText) {
  model({ModelTurn::error(401, "wrong key")});
  const Finished result = run();
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_EQ(result.end().at("status"), "failed");
  EXPECT_EQ(result.end().at("exit_code"), 0);
  EXPECT_THAT(std::string(result.end().at("detail").as_string()), HasSubstr("wrong key"));
}

TEST_F(RealPi, SeesAnImage) {
  // The smallest PNG: one grey pixel.
  const std::string png(
      "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\1\0\0\0\1\x8\0\0\0\0:~\x9bU\0\0\0\nIDATx\x9c"
      "c`\0\0\0\2\0\1H\xaf\xa4q\0\0\0\0IEND\xae"
      "B`\x82",
      67);
  stage_.root().write("pixel.png", png);
  model({ModelTurn::say("Grey.")});
  const Finished result = run({"--prompt", "What is it?", "--image", "../pixel.png"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(last_request(), HasSubstr("data:image/png;base64,"));
}

TEST_F(RealPi, GoesOnWithASavedSession) {
  const std::string saved = (stage_.root() / "saved").native();
  model({ModelTurn::say("The word is heron."), ModelTurn::say("It was heron.")});
  const Finished first = run({"--prompt", "Say a word", "--session-dir", saved});
  ASSERT_EQ(first.exit_code, 0) << first.err;
  const std::string id(first.end().at("session").as_string());
  EXPECT_TRUE(std::filesystem::exists(stage_.root() / "saved/pi" / id / "session.json"));
  const Finished second = run({"--prompt", "Which word was it?", "--session-dir", saved, "--resume", id});
  ASSERT_EQ(second.exit_code, 0) << second.err;
  EXPECT_EQ(second.end().at("session"), json::string(id));
  EXPECT_THAT(last_request(), ::testing::AllOf(HasSubstr("The word is heron."), HasSubstr("Which word was it?")));
  EXPECT_TRUE(stage_.clean());

  model({ModelTurn::error(401, "wrong key")});
  const Finished failed = run({"--prompt", "Again?", "--session-dir", saved, "--resume", id});
  EXPECT_EQ(failed.exit_code, 1);
  EXPECT_EQ(failed.end().at("session"), json::string(id)) << "saved whatever the status";
}

TEST_F(RealPi, RefusesASessionThatItDoesNotKnow) {
  model({ModelTurn::say("No.")});
  const Finished result =
      run({"--prompt", "Go on", "--session-dir", (stage_.root() / "saved").native(), "--resume", "1"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(std::string(result.end().at("detail").as_string()), HasSubstr("--resume 1: no such session of pi"));
}

TEST_F(RealPi, LogsInWithALinkedLoginFile) {
  stage_.root().write("secrets/login.json", R"({"demo":{"type":"api_key","key":"linked-key"}})");
  model({ModelTurn::say("Hello.")});
  std::filesystem::create_symlink(stage_.root() / "secrets/login.json", stage_.root() / "state/auth.json");
  const Finished result = run();
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(model_->requests().back().headers.at("authorization"), "Bearer linked-key");
  EXPECT_FALSE(std::filesystem::exists(stage_.root() / "secrets/login.json.lock"));
}

TEST_F(RealPi, ReadsNeitherProjectInstructionsNorTheUsersOwn) {
  for (const char* file :
       {"work/AGENTS.md", "work/CLAUDE.md", "work/.pi/SYSTEM.md", "work/.pi/APPEND_SYSTEM.md", "state/AGENTS.md",
        "state/SYSTEM.md", "state/APPEND_SYSTEM.md", "home/.pi/agent/AGENTS.md"}) {
    stage_.root().write(file, "SECRET-MARK");
  }
  model({ModelTurn::say("Nothing.")});
  EXPECT_EQ(run().exit_code, 0);
  for (const ModelRequest& request : model_->requests()) EXPECT_THAT(request.body, Not(HasSubstr("SECRET-MARK")));
}

TEST_F(RealPi, LeavesTheUsersStateDirectoryAsItWas) {
  model({bash("echo '{}' > \"$PI_CODING_AGENT_DIR/models.json\"; echo x > \"$PI_CODING_AGENT_DIR/settings.json\""),
         ModelTurn::say("Tried.")});
  stage_.root().write("state/settings.json", "{}");
  const std::string before = read_file(stage_.root() / "state/models.json");
  EXPECT_EQ(run().exit_code, 0);
  EXPECT_EQ(read_file(stage_.root() / "state/models.json"), before);
  EXPECT_EQ(read_file(stage_.root() / "state/settings.json"), "{}");
}

}  // namespace
}  // namespace agentrun::testing
