// doctor and the real agents.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "model_server.hpp"
#include "program.hpp"

namespace agentrun::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

class RealDoctor : public ::testing::Test {
 protected:
  void SetUp() override {
    const char* directory = std::getenv("AGENTRUN_AGENTS_DIR");
    if (directory == nullptr || !std::filesystem::exists(std::filesystem::path(directory) / "bin/pi")) {
      if (std::getenv("AGENTRUN_REQUIRE_ALL") != nullptr) {
        FAIL() << "no agents in AGENTRUN_AGENTS_DIR (scripts/npm-agents installs them)";
      }
      GTEST_SKIP() << "no agents in AGENTRUN_AGENTS_DIR (scripts/npm-agents installs them)";
    }
    agents_ = std::filesystem::path(directory) / "bin";
  }

  /// A model of pi's, with two names in its list.
  void model(ModelTurn turn, const std::string& key = "test-key") {
    model_ = std::make_unique<ModelServer>(std::vector<ModelTurn>{std::move(turn)});
    json::object provider{{"baseUrl", model_->url()},
                          {"api", "openai-completions"},
                          {"models", json::array{{{"id", "demo-1"}, {"name", "demo-1"}}, {{"id", "demo-2"}}}}};
    if (!key.empty()) provider["apiKey"] = key;
    stage_.root().write("state/models.json",
                        json::serialize(json::object{{"providers", json::object{{"demo", provider}}}}));
  }

  [[nodiscard]] Invocation invocation(std::vector<std::string> options) const {
    options.insert(options.begin(), {"doctor", "--json", "--path", agents_.native()});
    Invocation call = stage_.invocation(std::move(options));
    call.environment["PI_CODING_AGENT_DIR"] = (stage_.root() / "state").native();
    return call;
  }
  /// "status: detail" of one check.
  static std::string found(const Finished& finished, std::string_view runtime, std::string_view check) {
    boost::system::error_code error;
    const json::value value = json::parse(finished.out, error);
    if (error || !value.is_array()) return "no array: " + finished.out + finished.err;
    for (const json::value& one : value.as_array()) {
      const json::object& object = one.as_object();
      if (object.at("runtime").as_string() == runtime && object.at("check").as_string() == check) {
        return std::string(object.at("status").as_string()) + ": " + std::string(object.at("detail").as_string());
      }
    }
    return "not checked: " + finished.out;
  }
  [[nodiscard]] std::string pi_login(std::vector<std::string> options = {"--model", "demo/demo-1"}) const {
    options.insert(options.begin(), "pi");
    return found(run(invocation(std::move(options))), "pi", "login");
  }
  [[nodiscard]] std::vector<std::string> state() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(stage_.root() / "state")) {
      names.push_back(entry.path().filename());
    }
    std::sort(names.begin(), names.end());
    return names;
  }

  Stage stage_;
  std::filesystem::path agents_;
  std::unique_ptr<ModelServer> model_;
};

TEST_F(RealDoctor, AsksPisModelOnceAndLeavesNoTrace) {
  model(ModelTurn::say("OK"));
  stage_.root().write("state/auth.json", R"({"demo":{"type":"api_key","key":"other-key"}})");
  stage_.root().write("state/settings.json", R"({"defaultProvider":"demo","defaultModel":"demo-2"})");
  const auto before = state();
  EXPECT_EQ(pi_login(), "ok: demo/demo-1 answers");
  EXPECT_EQ(model_->requests().size(), 1U);
  EXPECT_EQ(pi_login({}), "ok: demo/demo-2 answers") << "the one of the settings";
  EXPECT_EQ(state(), before);
  EXPECT_EQ(read_file(stage_.root() / "state/settings.json"), R"({"defaultProvider":"demo","defaultModel":"demo-2"})");
  EXPECT_TRUE(stage_.clean());
  EXPECT_TRUE(processes_marked("AGENTRUN_TEST_STAGE=" + stage_.root().path().native()).empty());
}

TEST_F(RealDoctor, DoesNotWaitForTheEndOfPisAnswer) {
  ModelTurn turn = ModelTurn::say("OK");
  turn.ending = ModelTurn::Ending::hang;
  model(std::move(turn));
  EXPECT_EQ(pi_login(), "ok: demo/demo-1 answers");
}

TEST_F(RealDoctor, FailsAModelThatPiDoesNotKnow) {
  model(ModelTurn::say("OK"));
  EXPECT_THAT(pi_login({"--model", "demo/nope-9"}), StartsWith("fail: pi does not know the model demo/nope-9. "));
  EXPECT_THAT(pi_login({"--model", "nosuch/nope-9"}), AllOf(StartsWith("fail: "), HasSubstr("nosuch/nope-9")));
}

TEST_F(RealDoctor, FailsALoginThatPiDoesNotHaveOrThatIsRefused) {
  model(ModelTurn::error(401, "Incorrect API key provided: KEY-SECRET"));
  EXPECT_THAT(pi_login(), AllOf(StartsWith("fail: the model service of demo/demo-1 refuses the login (401). Log in"),
                                Not(HasSubstr("SECRET"))));
  model(ModelTurn::say("OK"), "");
  EXPECT_THAT(pi_login(), AllOf(StartsWith("fail: pi says: "), HasSubstr("/login in pi")));
  std::filesystem::remove(stage_.root() / "state/models.json");
  EXPECT_THAT(pi_login({}), AllOf(StartsWith("fail: pi says: "), HasSubstr("/login in pi")));
}

TEST_F(RealDoctor, FailsAModelServiceThatIsNotReached) {
  model(ModelTurn::say("OK"));
  model_.reset();
  EXPECT_THAT(pi_login(), StartsWith("fail: the model service of demo/demo-1 fails ("));
}

TEST_F(RealDoctor, FindsTheAgentsAndTheirSandboxes) {
  model(ModelTurn::say("OK"));
  std::vector<std::string> options{"claude-code", "codex", "dsh"};
  const Finished result = run(invocation(std::move(options)));
  for (const char* runtime : {"claude-code", "codex", "dsh"}) {
    EXPECT_THAT(found(result, runtime, "executable"), StartsWith("ok: " + agents_.native())) << runtime;
    EXPECT_THAT(found(result, runtime, "login"), StartsWith("fail: ")) << runtime;
    EXPECT_THAT(found(result, runtime, "sandbox"), AllOf(StartsWith("ok: "), HasSubstr("writes inside"))) << runtime;
  }
  EXPECT_THAT(found(result, "claude-code", "sandbox"), HasSubstr("in place of claude-code's own sandbox"));
  EXPECT_THAT(found(result, "codex", "sandbox"), AllOf(StartsWith("ok: codex ("), Not(HasSubstr("in place"))));
  EXPECT_TRUE(stage_.clean());
}

TEST_F(RealDoctor, FindsTheLoginsThatTheEnvironmentHolds) {
  Invocation call = invocation({"claude-code", "codex", "dsh"});
  call.environment["CLAUDE_CODE_OAUTH_TOKEN"] = "token-SECRET";
  call.environment["DEEPSEEK_API_KEY"] = "key-SECRET";
  call.environment["AGENTRUN_CODEX_AUTH"] = R"({"OPENAI_API_KEY":"sk-SECRET"})";
  const Finished result = run(call);
  EXPECT_EQ(result.exit_code, 0) << result.out;
  for (const char* runtime : {"claude-code", "codex", "dsh"}) {
    EXPECT_THAT(found(result, runtime, "login"), StartsWith("ok: ")) << runtime;
  }
  EXPECT_THAT(result.out + result.err, Not(HasSubstr("SECRET")));
}

TEST_F(RealDoctor, TriesCodexsSandboxWithItsNetworkRules) {
  const Finished result = run(invocation({"codex", "--network", "custom", "--allow-host", "files.invalid"}));
  EXPECT_THAT(found(result, "codex", "network"), AllOf(StartsWith("fail: "), Not(HasSubstr("doctor-check.invalid"))))
      << "nobody has that name; what must be refused was refused before";
}

}  // namespace
}  // namespace agentrun::testing
