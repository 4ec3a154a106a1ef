#pragma once
// The real codex under agentrun, with a scripted model on loopback.

#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model_server.hpp"
#include "program.hpp"

namespace agentrun::testing {

class RealCodex : public ::testing::Test {
 protected:
  void SetUp() override;

  /// A call of codex's shell tool.
  [[nodiscard]] static ModelTurn shell(const std::string& command);
  /// A patch that adds a file.
  [[nodiscard]] static ModelTurn patch(const std::string& path);

  void model(std::vector<ModelTurn> script) { model_ = std::make_unique<ModelServer>(std::move(script)); }

  /// The arguments behind "--" that lead codex to the model at `url`.
  [[nodiscard]] static std::vector<std::string> provider(const std::string& url);
  [[nodiscard]] Invocation invocation(std::vector<std::string> options = {}) const;
  [[nodiscard]] Finished run(std::vector<std::string> options = {}) const;

  /// Gives the stage to user 65534 and runs as that one. Only for root; the agents appear on the stage, since root's
  /// own directories are closed to others.
  [[nodiscard]] Invocation as_ordinary_user(Invocation call) const;

  /// What the model saw, all requests together.
  [[nodiscard]] std::string seen_by_model() const;
  [[nodiscard]] std::string request(std::size_t index) const { return model_->requests().at(index).body; }
  void expect_nothing_left() const;

  Stage stage_;
  std::filesystem::path agents_;
  std::unique_ptr<ModelServer> model_;
};

/// The summaries of its tool events, each with its name: "shell: make test".
[[nodiscard]] std::vector<std::string> tools_of(const Finished& result);

}  // namespace agentrun::testing
