// Nothing that a plugin throws leaves it.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plugin_directory.hpp"

namespace agentrun::host {
namespace {

using ::testing::HasSubstr;

class Sink final : public RecordSink {
 public:
  void record(Record&& /*record*/) noexcept override {}
  void stop(std::string reason) noexcept override { reason_ = std::move(reason); }
  [[nodiscard]] const std::string& reason() const { return reason_; }

 private:
  std::string reason_;
};

class Services final : public CheckServices {
 public:
  [[nodiscard]] std::optional<std::filesystem::path> find_tool(std::string_view /*name*/) const override { return {}; }
  [[nodiscard]] CheckRun run(const CheckCommand& /*argv*/) override { return {}; }
  [[nodiscard]] bool root() const noexcept override { return false; }
};

class ThrowingRuntime : public ::testing::Test {
 protected:
  ThrowingRuntime() {
    directory_.install("runtime-throwing");
    runtime_ = directory_.library().open_runtime("throwing", {});
    if (!runtime_) throw std::runtime_error(runtime_.error().error.message);
  }

  [[nodiscard]] Runtime& runtime() { return **runtime_; }
  [[nodiscard]] LaunchContext context(const std::string& prompt) {
    return {.arguments = arguments_,
            .prompt = prompt,
            .environment = environment_,
            .policy = policy_,
            .services = services_,
            .cwd = "/",
            .session_directory = "/",
            .plugin_directory = "/",
            .images = {}};
  }

 private:
  PluginDirectory directory_;
  RunArguments arguments_;
  Environment environment_;
  Policy policy_ = PolicyBuilder(std::filesystem::temp_directory_path()).build().value();
  Services services_;
  PluginResult<PluginHandle<Runtime>> runtime_ = tl::unexpected<PluginError>(PluginError{});
};

TEST_F(ThrowingRuntime, GivesErrors) {
  RunArguments arguments;
  const auto checked = runtime().check(arguments);
  ASSERT_FALSE(checked);
  EXPECT_EQ(checked.error().code, ErrorCode::plugin);
  EXPECT_EQ(checked.error().message, "the plugin failed: check failed");
  arguments.model = "odd";
  EXPECT_EQ(runtime().check(arguments).error().message, "the plugin failed: unknown exception");

  const std::string prompt = "throw";
  EXPECT_EQ(runtime().plan(context(prompt)).error().message, "the plugin failed: plan failed");
  EXPECT_EQ(runtime().translator(context(prompt)).error().message, "the plugin failed: translator failed");
}

TEST_F(ThrowingRuntime, GivesAnErrorInPlaceOfNoTranslator) {
  const std::string prompt = "null";
  EXPECT_EQ(runtime().translator(context(prompt)).error().message, "the plugin returned no translator");
}

TEST_F(ThrowingRuntime, StopsTheRunFromItsTranslator) {
  const std::string prompt;
  const auto translator = runtime().translator(context(prompt));
  ASSERT_TRUE(translator);
  for (const auto& [line, reason] : {std::pair("even", "line failed"), std::pair("odd", "unknown exception")}) {
    Sink sink;
    (*translator)->line(line, sink);
    EXPECT_THAT(sink.reason(), HasSubstr(reason));
  }
  for (const auto& [code, reason] : {std::pair(0, "finish failed"), std::pair(7, "unknown exception")}) {
    Sink sink;
    const Verdict verdict = (*translator)->finish({.exit_code = code, .signal = {}, .standard_error_tail = {}}, sink);
    EXPECT_EQ(verdict.status, Verdict::Status::failed);
    EXPECT_THAT(verdict.detail, HasSubstr(reason));
  }
}

TEST(ThrowingBackend, GivesErrors) {
  PluginDirectory directory;
  directory.install("backend-throwing");
  const auto backend = directory.library().open_backend("throwing", {});
  ASSERT_TRUE(backend) << backend.error().error.message;
  Services services;
  const auto checked = (*backend)->check(services, {});
  ASSERT_FALSE(checked);
  EXPECT_EQ(checked.error().message, "the plugin failed: check failed");
  const auto policy = PolicyBuilder(directory.path()).build();
  ASSERT_TRUE(policy);
  const auto plan =
      (*backend)->plan({.policy = *policy, .network = {}, .session_directory = "/", .command = {"/bin/true"}});
  ASSERT_FALSE(plan);
  EXPECT_EQ(plan.error().message, "the plugin failed: plan failed");
  EXPECT_EQ((*backend)->start_failure().prefix, "");
}

}  // namespace
}  // namespace agentrun::host
