#include "plugins/path_walk.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "plugin_directory.hpp"

namespace agentrun::host {
namespace {

using ::testing::ElementsAre;

/// A machine made of a table.
class Table final : public PathReader {
 public:
  Table& directory(const std::string& path) { return add({path, PathFacts::Type::directory, 0, 0755, {}}); }
  Table& file(const std::string& path) { return add({path, PathFacts::Type::file, 0, 0644, {}}); }
  Table& link(const std::string& path, const std::string& target) {
    return add({path, PathFacts::Type::link, 0, 0777, target});
  }
  [[nodiscard]] Result<PathFacts> read(const std::filesystem::path& path) const override {
    const auto found = entries_.find(path.string());
    if (found == entries_.end()) return failure(ErrorCode::io, "no " + path.string());
    return found->second;
  }

 private:
  Table& add(PathFacts facts) {
    const std::string path = facts.path.string();
    entries_[path] = std::move(facts);
    return *this;
  }
  std::map<std::string, PathFacts> entries_;
};

std::vector<std::string> steps_of(const PathWalk& walk) {
  std::vector<std::string> steps;
  for (const auto& step : walk.steps) steps.push_back(step.path.string());
  return steps;
}

TEST(PathWalk, VisitsEveryDirectoryFromTheRoot) {
  const Table table = Table().directory("/").directory("/a").directory("/a/b").file("/a/b/f");
  const auto walked = walk(table, "/a//./b/f");
  ASSERT_TRUE(walked);
  EXPECT_THAT(steps_of(*walked), ElementsAre("/", "/a", "/a/b", "/a/b/f"));
  EXPECT_EQ(walked->real, "/a/b/f");
}

TEST(PathWalk, VisitsTheLinkAndTheWayToItsTarget) {
  const Table table = Table()
                          .directory("/")
                          .directory("/a")
                          .link("/a/f", "/b/g")
                          .directory("/b")
                          .link("/b/g", "../c/h")
                          .directory("/c")
                          .file("/c/h");
  const auto walked = walk(table, "/a/f");
  ASSERT_TRUE(walked);
  EXPECT_THAT(steps_of(*walked), ElementsAre("/", "/a", "/a/f", "/b", "/b/g", "/c", "/c/h"));
  EXPECT_EQ(walked->real, "/c/h");
}

TEST(PathWalk, TakesTheParentOfTheRealDirectory) {
  const Table table =
      Table().directory("/").directory("/a").link("/a/l", "/b/c").directory("/b").directory("/b/c").file("/b/f");
  const auto walked = walk(table, "/a/l/../f");
  ASSERT_TRUE(walked);
  EXPECT_EQ(walked->real, "/b/f");
}

TEST(PathWalk, StaysInTheRootAboveIt) {
  const auto walked = walk(Table().directory("/").file("/f"), "/../../f");
  ASSERT_TRUE(walked);
  EXPECT_EQ(walked->real, "/f");
}

TEST(PathWalk, GivesUpOnLinksInACircle) {
  const auto walked = walk(Table().directory("/").link("/a", "b").link("/b", "a"), "/a");
  ASSERT_FALSE(walked);
}

TEST(PathWalk, FailsWhereSomethingIsMissing) {
  EXPECT_FALSE(walk(Table().directory("/").link("/a", "/nowhere"), "/a"));
}

TEST(PathWalk, AgreesWithTheSystem) {
  PluginDirectory directory;
  const auto sub = directory.make("sub");
  PluginDirectory::write(sub / "file", "x");
  PluginDirectory::set_mode(sub / "file", 0640);
  std::filesystem::create_symlink("sub/../sub/file", directory.path() / "link");
  const auto walked = walk(SystemPathReader(), directory.path() / "link");
  ASSERT_TRUE(walked);
  EXPECT_EQ(walked->real, std::filesystem::canonical(directory.path() / "link"));
  EXPECT_EQ(walked->steps.back().type, PathFacts::Type::file);
  EXPECT_EQ(walked->steps.back().mode, 0640U);
  EXPECT_EQ(walked->steps.back().owner, geteuid());
}

TEST(PathWalk, RefusesAFileUsedAsADirectory) {
  PluginDirectory directory;
  PluginDirectory::write(directory.path() / "file", "x");
  EXPECT_FALSE(walk(SystemPathReader(), directory.path() / "file" / "below"));
}

}  // namespace
}  // namespace agentrun::host
