#include "session/search_path.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scratch.hpp"

namespace agentrun::host {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::Scratch;

SearchPath path_of(const std::vector<fs::path>& front, std::optional<std::string> variable, const fs::path& caller,
                   const fs::path& session) {
  auto path = SearchPath::make(front, variable, {caller, session});
  if (!path) throw std::runtime_error(describe(path.error()));
  return *std::move(path);
}

SearchPath path_of(const std::vector<fs::path>& front, std::optional<std::string> variable, const Scratch& scratch) {
  return path_of(front, std::move(variable), scratch.path(), scratch.path());
}

TEST(SearchPathText, PutsThePathOptionsInFront) {
  const Scratch scratch;
  scratch.directory("a");
  const auto b = scratch.directory("b");
  EXPECT_EQ(path_of({b, "a"}, "/usr/bin::rel", scratch).text(),
            b.string() + ":" + (scratch / "a").string() + ":/usr/bin::rel");
}

TEST(SearchPathText, AddsNoEmptyEntry) {
  const Scratch scratch;
  const auto a = scratch.directory("a");
  EXPECT_EQ(path_of({a}, "", scratch).text(), a.string());
  EXPECT_EQ(path_of({a}, {}, scratch).text(), a.string());
  EXPECT_EQ(path_of({}, {}, scratch).text(), "");
}

TEST(SearchPathText, KeepsTheVariableAsItWas) {
  const Scratch scratch;
  for (const auto* text : {":/bin", "/bin:", "::", "/bin", "./x/../y:/bin/"}) {
    EXPECT_EQ(path_of({}, text, scratch).text(), text);
  }
}

TEST(SearchPathOptions, AreRefusedUnlessTheyAreDirectories) {
  const Scratch scratch;
  for (const fs::path& option : {fs::path("none"), scratch.file("file"), fs::path(), scratch.directory("a:b")}) {
    const auto path = SearchPath::make({option}, "/bin", {scratch.path(), scratch.path()});
    ASSERT_FALSE(path) << option;
    EXPECT_EQ(path.error().code, ErrorCode::usage);
    EXPECT_THAT(path.error().message, HasSubstr("--path " + option.string()));
    EXPECT_FALSE(path.error().hint.empty());
  }
}

TEST(SearchPathOptions, StartFromTheCallersDirectory) {
  const Scratch scratch;
  const auto caller = scratch.directory("caller/bin").parent_path();
  const auto session = scratch.directory("session");
  EXPECT_THAT(path_of({"bin", "bin/../bin/."}, {}, caller, session).directories(),
              ElementsAre(caller / "bin", caller / "bin"));
}

TEST(SearchPathFind, TakesTheFirstExecutableFile) {
  const Scratch scratch;
  scratch.file("a/tool");       // not executable
  scratch.directory("b/tool");  // not a file
  const auto tool = scratch.program("c/tool");
  scratch.program("d/tool");
  const auto path =
      path_of({scratch / "a", scratch / "b"}, (scratch / "c").string() + ":" + (scratch / "d").string(), scratch);
  EXPECT_EQ(path.find("tool"), tool);
  EXPECT_EQ(path.find("other"), std::nullopt);
  EXPECT_EQ(path.find(""), std::nullopt);
}

TEST(SearchPathFind, DoesNotResolveLinks) {
  const Scratch scratch;
  scratch.program("real/tool");
  scratch.directory("bin");
  fs::create_symlink("../real/tool", scratch / "bin/alias");
  fs::create_symlink("nowhere", scratch / "bin/dangling");
  fs::create_directory_symlink("bin", scratch / "link");
  const auto path = path_of({}, (scratch / "link").string(), scratch);
  EXPECT_EQ(path.find("alias"), scratch / "link/alias");
  EXPECT_EQ(path.find("dangling"), std::nullopt);
}

TEST(SearchPathFind, ResolvesRelativeAndEmptyEntriesFromTheSessionsDirectory) {
  const Scratch scratch;
  const auto caller = scratch.directory("caller");
  scratch.program("caller/tool");
  const auto session = scratch.directory("session");
  const auto tool = scratch.program("session/tool");
  const auto nested = scratch.program("session/bin/nested");
  EXPECT_EQ(path_of({}, "/none::bin", caller, session).find("tool"), tool);
  EXPECT_EQ(path_of({}, "./bin", caller, session).find("nested"), nested);
  EXPECT_EQ(path_of({}, "/none", caller, session).find("tool"), std::nullopt);
}

TEST(SearchPathFind, DoesNotSearchANameWithASlash) {
  const Scratch scratch;
  const auto tool = scratch.program("bin/tool");
  const auto path = path_of({}, "/usr", scratch);
  EXPECT_EQ(path.find("bin/tool"), tool);
  EXPECT_EQ(path.find(tool.string()), tool);
  EXPECT_EQ(path.find("bin/sh"), std::nullopt);
}

TEST(SearchPathFindOutside, SkipsWhatTheAgentCouldHavePlanted) {
  const Scratch scratch;
  const auto writable = scratch.directory("work");
  scratch.program("work/bin/tool");
  fs::create_directory_symlink(writable / "bin", scratch / "looks-harmless");
  scratch.directory("links");
  fs::create_symlink(writable / "bin/tool", scratch / "links/tool");
  const auto safe = scratch.program("safe/tool");
  const auto path = path_of({},
                            (writable / "bin").string() + ":work/bin:" + (scratch / "looks-harmless").string() + ":" +
                                (scratch / "links").string() + ":" + (scratch / "safe").string(),
                            scratch);
  EXPECT_EQ(path.find_outside("tool", {writable}), safe);
  EXPECT_EQ(path.find_outside("tool", {scratch / "other", writable}), safe);
  EXPECT_EQ(path.find_outside("tool", {scratch.path()}), std::nullopt);
  EXPECT_EQ(path.find_outside("tool", {}), writable / "bin/tool");
}

TEST(SearchPathFindOutside, KeepsADirectoryWhoseNameOnlyBeginsAlike) {
  const Scratch scratch;
  const auto tool = scratch.program("work-tools/tool");
  EXPECT_EQ(path_of({scratch / "work-tools"}, {}, scratch).find_outside("tool", {scratch.directory("work")}), tool);
}

TEST(SearchPathFindRuntime, FindsIt) {
  const Scratch scratch;
  const auto tool = scratch.program("bin/tool");
  EXPECT_EQ(path_of({scratch / "bin"}, {}, scratch).find_runtime("tool", {scratch.directory("work")}), tool);
}

TEST(SearchPathFindRuntime, RefusesAPlantedOneInsteadOfTakingTheNext) {
  const Scratch scratch;
  const auto planted = scratch.program("work/tool");
  scratch.program("bin/tool");
  const auto found = path_of({scratch / "work", scratch / "bin"}, {}, scratch).find_runtime("tool", {scratch / "work"});
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().code, ErrorCode::untrusted);
  EXPECT_THAT(found.error().message, HasSubstr(planted.string()));
  EXPECT_FALSE(found.error().hint.empty());
}

TEST(SearchPathFindRuntime, SaysWhenThereIsNone) {
  const Scratch scratch;
  const auto found = path_of({}, scratch.path().string(), scratch).find_runtime("tool", {});
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().code, ErrorCode::not_found);
  EXPECT_THAT(found.error().message, HasSubstr("tool not found"));
  EXPECT_THAT(found.error().hint, HasSubstr("--path"));
}

}  // namespace
}  // namespace agentrun::host
