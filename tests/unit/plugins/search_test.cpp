#include "plugins/search.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "plugin_directory.hpp"

namespace agentrun::host {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Paths = std::vector<std::filesystem::path>;

Paths search(const Environment& caller, bool elevated = false) {
  return search_directories({.caller = caller,
                             .executable = "/opt/agentrun/bin/agentrun",
                             .compiled_in = "/usr/local/lib/agentrun/plugins",
                             .elevated = elevated});
}

Environment environment(std::initializer_list<std::pair<const char*, const char*>> variables) {
  Environment result;
  for (const auto& [name, value] : variables) result.set(name, value);
  return result;
}

TEST(PluginSearch, GoesFromTheCallersDirectoriesToTheInstallation) {
  const auto caller = environment({{"AGENTRUN_PLUGIN_PATH", "/a:/b"}, {"XDG_DATA_HOME", "/data"}, {"HOME", "/home/u"}});
  EXPECT_THAT(search(caller), ElementsAre("/a", "/b", "/data/agentrun/plugins", "/opt/agentrun/lib/agentrun/plugins",
                                          "/usr/local/lib/agentrun/plugins"));
}

TEST(PluginSearch, UsesTheHomeDirectoryWithoutADataDirectory) {
  EXPECT_EQ(search(environment({{"HOME", "/home/u"}})).front(), "/home/u/.local/share/agentrun/plugins");
  EXPECT_EQ(search(environment({{"HOME", "/home/u"}, {"XDG_DATA_HOME", ""}})).front(),
            "/home/u/.local/share/agentrun/plugins");
}

TEST(PluginSearch, IgnoresRelativeDirectories) {
  const auto caller =
      environment({{"AGENTRUN_PLUGIN_PATH", "plugins:./p::.:~/p:/a:"}, {"XDG_DATA_HOME", "data"}, {"HOME", "home"}});
  EXPECT_THAT(search(caller),
              ElementsAre("/a", "/opt/agentrun/lib/agentrun/plugins", "/usr/local/lib/agentrun/plugins"));
}

TEST(PluginSearch, FollowsNoVariableWhenElevated) {
  const auto caller = environment({{"AGENTRUN_PLUGIN_PATH", "/a"}, {"XDG_DATA_HOME", "/data"}, {"HOME", "/home/u"}});
  EXPECT_THAT(search(caller, true),
              ElementsAre("/opt/agentrun/lib/agentrun/plugins", "/usr/local/lib/agentrun/plugins"));
}

TEST(PluginSearch, NamesEachDirectoryOnce) {
  const auto caller = environment({{"AGENTRUN_PLUGIN_PATH", "/a:/a/:/opt/agentrun/lib/agentrun/plugins//"}});
  EXPECT_THAT(search(caller),
              ElementsAre("/a", "/opt/agentrun/lib/agentrun/plugins", "/usr/local/lib/agentrun/plugins"));
}

TEST(PluginSearch, WithoutAKnownExecutableUsesTheInstallation) {
  EXPECT_THAT(search_directories({.caller = {}, .executable = "", .compiled_in = "/c", .elevated = false}),
              ElementsAre("/c"));
}

TEST(PluginSearch, EndsAtTheFirstHitOfAnyType) {
  PluginDirectory directory;
  const auto first = directory.make("first");
  const auto second = directory.make("second");
  std::filesystem::create_symlink("nowhere", first / "agentrun-runtime-x.so");
  PluginDirectory::write(second / "agentrun-runtime-x.so", "");
  const auto found = find_plugin({directory.path() / "absent", first, second}, {PluginKind::runtime, "x"});
  ASSERT_TRUE(found);
  EXPECT_EQ(*found, first / "agentrun-runtime-x.so");
}

TEST(PluginSearch, SaysWhereItLookedAndWhatToInstall) {
  const auto found = find_plugin({"/nonexistent/a", "/nonexistent/b"}, {PluginKind::runtime, "foo"});
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().stage, PluginStage::search);
  EXPECT_EQ(found.error().error.code, ErrorCode::not_found);
  EXPECT_EQ(found.error().error.message, "no runtime plugin 'foo' (looked in: /nonexistent/a, /nonexistent/b)");
  EXPECT_THAT(found.error().error.hint, HasSubstr("agentrun-runtime-foo"));
  const auto backend = find_plugin({}, {PluginKind::backend, "bar"});
  ASSERT_FALSE(backend);
  EXPECT_EQ(backend.error().error.message, "no backend plugin 'bar' (looked in: nothing)");
}

TEST(PluginSearch, SaysWhichDirectoryItCouldNotRead) {
  if (geteuid() == 0) GTEST_SKIP() << "root reads every directory";
  PluginDirectory directory;
  const auto closed = directory.make("closed");
  PluginDirectory::set_mode(closed, 0);
  const auto found = find_plugin({closed}, {PluginKind::runtime, "foo"});
  PluginDirectory::set_mode(closed, 0755);
  ASSERT_FALSE(found);
  EXPECT_THAT(found.error().error.message, HasSubstr("closed (Permission denied)"));
}

TEST(PluginSearch, NeverLeavesItsDirectoriesThroughAName) {
  PluginDirectory directory;
  directory.make("agentrun-runtime-x");
  PluginDirectory::write(directory.path() / "agentrun-runtime-y.so", "");
  const auto found = find_plugin({directory.path()}, {PluginKind::runtime, "x/../../agentrun-runtime-y"});
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().error.code, ErrorCode::usage);
}

TEST(PluginSearch, ListsFilesNamedLikePluginsSorted) {
  PluginDirectory directory;
  for (const char* name : {"agentrun-runtime-b.so", "agentrun-backend-a.so", "README", "agentrun-runtime-c.dylib"}) {
    PluginDirectory::write(directory.path() / name, "");
  }
  EXPECT_THAT(plugin_files(directory.path()),
              ElementsAre(directory.path() / "agentrun-backend-a.so", directory.path() / "agentrun-runtime-b.so"));
  EXPECT_TRUE(plugin_files("/nonexistent").empty());
}

}  // namespace
}  // namespace agentrun::host
