#include "plugins/inspect.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "memory_bytes.hpp"
#include "plugin_directory.hpp"
#include "plugins/platform.hpp"

namespace agentrun::host {
namespace {

using ::testing::HasSubstr;

const PluginName foo = {PluginKind::runtime, "foo"};

Inspection good() {
  return {.image = {.format = native_format(),
                    .machine = native_machine(),
                    .facts = {},
                    .descriptors = {AGENTRUN_DESCRIPTOR_PREFIX AGENTRUN_ABI_ID}},
          .facts = {.kind = "runtime", .name = "foo", .version = "1", .abi = AGENTRUN_ABI_ID, .sdk = "0"}};
}

Outcome judged(const Inspection& inspection) {
  return outcome_of(judge_inspection(inspection, foo, "/p/agentrun-runtime-foo.so"));
}

TEST(PluginInspection, AcceptsWhatWasAskedFor) { EXPECT_EQ(judged(good()).stage, "opened"); }

TEST(PluginInspection, AcceptsAFileForSeveralVersions) {
  Inspection inspection = good();
  inspection.image.descriptors.insert(inspection.image.descriptors.begin(), "agentrun_plugin_v0_old");
  EXPECT_EQ(judged(inspection).stage, "opened");
}

TEST(PluginInspection, NamesBothSidesOfAnAbiMismatchAndTheRepair) {
  Inspection inspection = good();
  inspection.image.descriptors = {"agentrun_plugin_v1_aaa"};
  EXPECT_EQ(judged(inspection).stage, "inspect");
  EXPECT_EQ(judged(inspection).message, "plugin 'foo' was built for ABI v1_aaa, this agentrun has " AGENTRUN_ABI_ID);
  EXPECT_EQ(judged(inspection).hint, "Rebuild it with this version's SDK, or install the matching package");
}

TEST(PluginInspection, RefusesAFileWithoutADescriptor) {
  Inspection inspection = good();
  inspection.image.descriptors.clear();
  EXPECT_THAT(judged(inspection).message, HasSubstr("exports no agentrun_plugin_… symbol"));
}

TEST(PluginInspection, RefusesAnotherKindOrName) {
  Inspection inspection = good();
  inspection.facts.kind = "backend";
  EXPECT_THAT(judged(inspection).message, HasSubstr("holds the backend plugin 'foo', not the runtime plugin 'foo'"));
  EXPECT_THAT(judged(inspection).hint, HasSubstr("agentrun-backend-foo.so"));
  inspection = good();
  inspection.facts.name = "bar";
  EXPECT_THAT(judged(inspection).message, HasSubstr("holds the runtime plugin 'bar', not the runtime plugin 'foo'"));
}

TEST(PluginInspection, RefusesAnotherMachine) {
  Inspection inspection = good();
  inspection.image.machine = ModuleImage::Machine::other;
  EXPECT_THAT(judged(inspection).message, HasSubstr("was built for"));
  EXPECT_THAT(judged(inspection).hint, HasSubstr("for this machine"));
}

TEST(PluginInspection, NamesTheFileThatIsNoPlugin) {
  const auto text = inspect(MemoryBytes("hello"), "/p/agentrun-runtime-foo.so");
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().error.message, "'/p/agentrun-runtime-foo.so' is not a shared object");
  const auto other = inspect(MemoryBytes(fixture_bytes("runtime-no-plugin")), "/p/x.so");
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().error.message, "'/p/x.so' is a shared object, but no agentrun plugin");
}

}  // namespace
}  // namespace agentrun::host
