#pragma once
// The real dsh against a scripted model on loopback, in bubblewrap without a network of its own.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "http_server.hpp"
#include "model_server.hpp"
#include "program.hpp"

namespace agentrun::testing {

class RealDsh : public ::testing::Test {
 protected:
  void SetUp() override {
    const char* directory = std::getenv("AGENTRUN_AGENTS_DIR");
    if (directory == nullptr || !std::filesystem::exists(std::filesystem::path(directory) / "bin/dsh")) {
      if (std::getenv("AGENTRUN_REQUIRE_ALL") != nullptr) {
        FAIL() << "no dsh in AGENTRUN_AGENTS_DIR (scripts/npm-agents installs it)";
      }
      GTEST_SKIP() << "no dsh in AGENTRUN_AGENTS_DIR (scripts/npm-agents installs it)";
    }
    agents_ = std::filesystem::path(directory) / "bin";
  }

  static ModelTurn call(std::string name, const json::object& input) {
    return ModelTurn::call(std::move(name), json::serialize(input));
  }
  static ModelTurn bash(const std::string& command) {
    return call("bash", {{"command", command}, {"description", "run"}});
  }
  static ModelTurn subagent(const std::string& description, const std::string& prompt) {
    return call("subagent", {{"description", description}, {"prompt", prompt}, {"run_in_background", false}});
  }

  void model(std::vector<ModelTurn> script) { model_ = std::make_unique<ModelServer>(std::move(script)); }

  [[nodiscard]] Invocation invocation(const std::vector<std::string>& options, const ModelServer& model) const {
    std::vector<std::string> args{"dsh",
                                  "--path",
                                  agents_.native(),
                                  "--format",
                                  "jsonl",
                                  "--network",
                                  "custom",
                                  "--allow-host",
                                  "127.0.0.1:" + std::to_string(model.port()),
                                  "--env",
                                  "DEEPSEEK_BASE_URL=" + model.url(""),
                                  "--env",
                                  "DEEPSEEK_API_KEY=test-key"};
    args.insert(args.end(), options.begin(), options.end());
    return stage_.invocation(std::move(args));
  }
  /// With a prompt.
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

  Stage stage_;
  std::filesystem::path agents_;
  std::unique_ptr<ModelServer> model_;
};

}  // namespace agentrun::testing
