#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plugin_directory.hpp"
#include "plugins/load.hpp"

namespace agentrun::host {
namespace {

using ::testing::HasSubstr;

const PluginName foo = {PluginKind::runtime, "foo"};

Runtime* create_nothing(PluginFailure /*failed*/, void* /*context*/) { return nullptr; }
void destroy_nothing(Runtime* /*object*/) {}

AgentrunPluginDescriptor good() {
  return {sizeof(AgentrunPluginDescriptor),   2, AGENTRUN_ABI_ID, "foo", "1", "0", {},
          {&create_nothing, &destroy_nothing}};
}

std::string judged(const AgentrunPluginDescriptor& descriptor) {
  const Outcome outcome = outcome_of(judge_descriptor(descriptor, foo));
  return outcome.stage + ": " + outcome.message;
}

TEST(PluginDescriptor, IsAcceptedWhenItIsWhatTheFileSaid) { EXPECT_EQ(judged(good()), "opened: "); }

TEST(PluginDescriptor, OfAnotherSizeIsNotReadFurther) {
  AgentrunPluginDescriptor descriptor = good();
  descriptor.size = 8;
  descriptor.abi = nullptr;
  EXPECT_THAT(judged(descriptor), HasSubstr("descriptor: runtime plugin 'foo' has a descriptor of 8 bytes"));
}

TEST(PluginDescriptor, OfAnotherAbiIsRefused) {
  AgentrunPluginDescriptor descriptor = good();
  descriptor.abi = "v0";
  EXPECT_THAT(judged(descriptor), HasSubstr("ABI v0, this agentrun has " AGENTRUN_ABI_ID));
  descriptor.abi = nullptr;
  EXPECT_THAT(judged(descriptor), HasSubstr("ABI (none)"));
}

TEST(PluginDescriptor, OfAnotherPluginIsRefused) {
  AgentrunPluginDescriptor descriptor = good();
  descriptor.name = "bar";
  EXPECT_THAT(judged(descriptor), HasSubstr("is not that of the runtime plugin 'foo'"));
  descriptor = good();
  descriptor.name = nullptr;
  EXPECT_THAT(judged(descriptor), HasSubstr("is not that of"));
  descriptor = good();
  descriptor.kind = 1;
  EXPECT_THAT(judged(descriptor), HasSubstr("is not that of"));
}

TEST(PluginDescriptor, WithoutFunctionsIsRefused) {
  AgentrunPluginDescriptor descriptor = good();
  descriptor.runtime.create = nullptr;
  EXPECT_THAT(judged(descriptor), HasSubstr("lacks functions"));
  descriptor = good();
  descriptor.runtime.destroy = nullptr;
  EXPECT_THAT(judged(descriptor), HasSubstr("lacks functions"));
}

TEST(PluginDescriptor, IsNeverLookedForInTheWorkingDirectory) {
  PluginDirectory directory;
  directory.install("runtime-good");
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(directory.path());
  const auto bare = load_descriptor("agentrun-runtime-good.so");
  const auto relative = load_descriptor("./agentrun-runtime-good.so");
  std::filesystem::current_path(before);
  EXPECT_EQ(outcome_of(bare).stage, "load");
  EXPECT_EQ(outcome_of(relative).stage, "load");
}

}  // namespace
}  // namespace agentrun::host
