// The none backend as the build made it: a module in the plugin directory, or built in.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plugin_directory.hpp"

namespace agentrun::host {
namespace {

using ::testing::ElementsAre;

class NoServices final : public CheckServices {
 public:
  [[nodiscard]] std::optional<std::filesystem::path> find_tool(std::string_view /*name*/) const override {
    ADD_FAILURE() << "none needs no tool";
    return {};
  }
  [[nodiscard]] CheckRun run(const CheckCommand& /*argv*/) override {
    ADD_FAILURE() << "none runs nothing";
    return {};
  }
  [[nodiscard]] bool root() const noexcept override { return false; }
};

class NoneBackend : public ::testing::Test {
 protected:
  NoneBackend() {
    const auto built = std::filesystem::path(AGENTRUN_BUILT_PLUGINS) / "agentrun-backend-none.so";
    if (std::filesystem::exists(built)) {
      std::filesystem::copy_file(built, directory_.path() / built.filename());
      PluginDirectory::set_mode(directory_.path() / built.filename(), 0644);
    }
    opened_ = directory_.library().open_backend("none", {});
    if (!opened_) throw std::runtime_error(opened_.error().error.message);
  }
  [[nodiscard]] Backend& backend() { return **opened_; }
  [[nodiscard]] const std::filesystem::path& place() const { return directory_.path(); }

 private:
  PluginDirectory directory_;
  PluginResult<PluginHandle<Backend>> opened_ = tl::unexpected<PluginError>(PluginError{});
};

TEST_F(NoneBackend, SaysThatItConfinesNothing) {
  const BackendTraits traits = backend().traits();
  EXPECT_EQ(traits.kind, "none");
  EXPECT_FALSE(traits.confines);
  EXPECT_FALSE(traits.limits_network);
  EXPECT_EQ(traits.denied_text, "");
}

TEST_F(NoneBackend, IsAlwaysReady) {
  NoServices services;
  const auto ready = backend().check(services, {.proxied = true, .with_versions = true});
  ASSERT_TRUE(ready);
  EXPECT_TRUE(ready->tools.empty());
}

TEST_F(NoneBackend, RunsTheCommandAsItIs) {
  const auto policy = PolicyBuilder(place()).build();
  ASSERT_TRUE(policy) << policy.error().message;
  const auto plan =
      backend().plan({.policy = *policy, .network = {}, .session_directory = place(), .command = {"/bin/echo", "a b"}});
  ASSERT_TRUE(plan);
  EXPECT_THAT(plan->argv, ElementsAre("/bin/echo", "a b"));
  EXPECT_EQ(plan->command_at, 0U);
  EXPECT_EQ(plan->depth, 0U);
  EXPECT_TRUE(plan->files.empty());
  EXPECT_EQ(backend().start_failure().prefix, "");
}

}  // namespace
}  // namespace agentrun::host
