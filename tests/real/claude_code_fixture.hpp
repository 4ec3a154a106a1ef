#pragma once
// The real claude against a scripted model on loopback, in its own sandbox.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "model_server.hpp"
#include "program.hpp"

namespace agentrun::testing {

inline ModelTurn call(std::string name, const json::object& input) {
  return ModelTurn::call(std::move(name), json::serialize(input));
}
inline ModelTurn bash(const std::string& command) {
  return call("Bash", {{"command", command}, {"description", "run"}});
}

class RealClaude : public ::testing::Test {
 protected:
  void SetUp() override {
    const char* directory = std::getenv("AGENTRUN_AGENTS_DIR");
    if (directory == nullptr || !std::filesystem::exists(std::filesystem::path(directory) / "bin/claude")) {
      if (std::getenv("AGENTRUN_REQUIRE_ALL") != nullptr) {
        FAIL() << "no claude in AGENTRUN_AGENTS_DIR (scripts/npm-agents installs it)";
      }
      GTEST_SKIP() << "no claude in AGENTRUN_AGENTS_DIR (scripts/npm-agents installs it)";
    }
    agents_ = std::filesystem::path(directory) / "bin";
  }

  void model(std::vector<ModelTurn> script) { model_ = std::make_unique<ModelServer>(std::move(script)); }

  /// `options` go behind those that every run of a test has: nothing of it may reach the outside.
  [[nodiscard]] Invocation invocation(const std::vector<std::string>& options, const ModelServer& model) const {
    std::vector<std::string> args{"claude-code",
                                  "--path",
                                  agents_.native(),
                                  "--format",
                                  "jsonl",
                                  "--env",
                                  "ANTHROPIC_BASE_URL=" + model.url(""),
                                  "--env",
                                  "ANTHROPIC_API_KEY=test-key",
                                  "--env",
                                  "CLAUDE_CODE_MAX_RETRIES=0",
                                  "--env",
                                  "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1"};
    args.insert(args.end(), options.begin(), options.end());
    return stage_.invocation(std::move(args));
  }
  [[nodiscard]] Invocation invocation(std::vector<std::string> options = {}) const {
    options.insert(options.begin(), {"--prompt", "Do it"});
    return invocation(options, *model_);
  }
  [[nodiscard]] Finished run(std::vector<std::string> options = {}) const {
    return agentrun::testing::run(invocation(std::move(options)));
  }

  [[nodiscard]] std::string last_request() const { return model_->requests().back().body; }
  void expect_never_sent(std::string_view text) const {
    EXPECT_FALSE(model_->requests().empty());
    for (const ModelRequest& request : model_->requests()) {
      EXPECT_EQ(request.body.find(text), std::string::npos) << "the model saw " << text;
    }
  }
  void expect_nothing_left() const {
    EXPECT_TRUE(stage_.clean());
    EXPECT_TRUE(processes_marked("AGENTRUN_TEST_STAGE=" + stage_.root().path().native()).empty());
  }
  [[nodiscard]] static std::vector<bool> denials(const Finished& result) {
    std::vector<bool> denied;
    for (const json::object& event : result.events("tool")) denied.push_back(event.at("denied").as_bool());
    return denied;
  }

  Stage stage_;
  std::filesystem::path agents_;
  std::unique_ptr<ModelServer> model_;
};

}  // namespace agentrun::testing
