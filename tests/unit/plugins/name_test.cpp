#include <gtest/gtest.h>

#include "plugins/plugin_name.hpp"

namespace agentrun::host {
namespace {

TEST(PluginNames, MakeTheSameFileNameEverywhere) {
  EXPECT_EQ(file_name_of({PluginKind::backend, "bwrap"}), "agentrun-backend-bwrap.so");
  EXPECT_EQ(file_name_of({PluginKind::runtime, "claude-code"}), "agentrun-runtime-claude-code.so");
}

TEST(PluginNames, AreReadBackFromFileNames) {
  EXPECT_EQ(parse_file_name("agentrun-runtime-claude-code.so"), (PluginName{PluginKind::runtime, "claude-code"}));
  EXPECT_EQ(parse_file_name("agentrun-backend-x.so"), (PluginName{PluginKind::backend, "x"}));
}

TEST(PluginNames, AreNotSeenInOtherFiles) {
  for (const char* name : {"", "agentrun-runtime-.so", "agentrun-runtime-x", "agentrun-runtime-x.so.1",
                           "libagentrun-runtime-x.so", "agentrun-tool-x.so", "agentrun-runtime.so", ".so"}) {
    EXPECT_FALSE(parse_file_name(name)) << name;
  }
}

TEST(PluginNames, HoldOnlyLowerCaseLettersDigitsAndHyphens) {
  EXPECT_TRUE(check_name({PluginKind::runtime, "a-1"}));
  for (const char* name : {"", "A", "a_b", "a.b", "../a", "a/b", "a b", "ä", "a\n"}) {
    const auto checked = check_name({PluginKind::runtime, name});
    ASSERT_FALSE(checked) << name;
    EXPECT_EQ(checked.error().hint, "A plugin's name is made of a-z, 0-9 and '-'");
  }
}

TEST(PluginNames, OfRuntimesAreNotSubCommands) {
  for (const char* name : {"exec", "doctor", "plugins", "explain", "batch"}) {
    EXPECT_FALSE(check_name({PluginKind::runtime, name})) << name;
    EXPECT_TRUE(check_name({PluginKind::backend, name})) << name;
  }
}

}  // namespace
}  // namespace agentrun::host
