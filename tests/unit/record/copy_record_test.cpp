#include "record/copy_record.hpp"

#include <sys/stat.h>

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "agentrun/result.hpp"
#include "temp_dir.hpp"

namespace agentrun::host {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

std::string content(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

class CopyRecord : public ::testing::Test {
 protected:
  [[nodiscard]] Result<std::size_t> copy(const std::vector<std::string>& entries = {},
                                         const RecordLimits& limits = {}) const {
    return copy_record(from_, entries, to_, limits);
  }

  const agentrun::testing::TempDir root_;
  const fs::path from_ = root_.make("from");
  const fs::path to_ = root_.make("to");
};

TEST_F(CopyRecord, TakesFilesInAllDirectories) {
  root_.write("from/a.jsonl", "one");
  root_.write("from/2026/12/b.jsonl", "two");
  EXPECT_EQ(copy(), 2U);
  EXPECT_EQ(content(to_ / "a.jsonl"), "one");
  EXPECT_EQ(content(to_ / "2026/12/b.jsonl"), "two");
  struct stat facts {};
  ASSERT_EQ(::stat((to_ / "a.jsonl").c_str(), &facts), 0);
  EXPECT_EQ(facts.st_mode & 0777U, 0600U);
  ASSERT_EQ(::stat((to_ / "2026").c_str(), &facts), 0);
  EXPECT_EQ(facts.st_mode & 0777U, 0700U);
}

TEST_F(CopyRecord, TakesTheNamedEntriesOnly) {
  root_.write("from/mine.jsonl", "mine");
  root_.write("from/mine/part", "mine");
  root_.write("from/other.jsonl", "other");
  EXPECT_EQ(copy({"mine.jsonl", "mine", "missing"}), 2U);
  EXPECT_FALSE(fs::exists(to_ / "other.jsonl"));
}

TEST_F(CopyRecord, FindsNothingWhereNothingIs) {
  fs::remove(from_);
  EXPECT_EQ(copy(), 0U);
}

TEST_F(CopyRecord, FollowsNoLinkAndTakesNoSpecialFile) {
  root_.write("secret/key", "SECRET");
  fs::create_symlink(root_ / "secret/key", from_ / "link");
  fs::create_directory_symlink(root_ / "secret", from_ / "directory");
  ASSERT_EQ(::mkfifo((from_ / "pipe").c_str(), 0600), 0);
  EXPECT_EQ(copy(), 0U);
  EXPECT_EQ(copy({"link", "directory", "pipe"}), 0U);
  EXPECT_TRUE(fs::is_empty(to_));
}

TEST_F(CopyRecord, IsRefusedWhenTheDirectoryItselfIsALink) {
  root_.write("secret/key", "SECRET");
  fs::remove(from_);
  fs::create_directory_symlink(root_ / "secret", from_);
  EXPECT_FALSE(copy());
  EXPECT_TRUE(fs::is_empty(to_));
}

TEST_F(CopyRecord, ReplacesAFileAndWritesThroughNoLink) {
  root_.write("from/a", "new");
  root_.write("from/b", "new");
  root_.write("to/a", "old");
  const fs::path outside = root_.write("outside", "old");
  fs::create_symlink(outside, to_ / "b");
  EXPECT_EQ(copy(), 2U);
  EXPECT_EQ(content(to_ / "a"), "new");
  EXPECT_EQ(content(to_ / "b"), "new");
  EXPECT_EQ(content(outside), "old");
}

TEST_F(CopyRecord, IsRefusedAboveALimit) {
  root_.write("from/a", std::string(600, 'x'));
  root_.write("from/b", std::string(600, 'x'));
  EXPECT_THAT(copy({}, {.bytes = 1000}).error().message, HasSubstr("is over"));
  EXPECT_THAT(copy({}, {.files = 1}).error().message, HasSubstr("more than 1 files"));
  fs::create_directories(from_ / "1/2/3");
  EXPECT_THAT(copy({}, {.depth = 2}).error().message, HasSubstr("deep"));
  EXPECT_EQ(copy({}, {.bytes = 1200, .files = 2, .depth = 3}), 2U);
}

TEST_F(CopyRecord, IsCutOffInAFileThatHasNoEnd) {
  // A sparse file: its size says nothing about what is read.
  std::ofstream(from_ / "sparse").close();
  fs::resize_file(from_ / "sparse", std::uintmax_t{1} << 40U);
  EXPECT_THAT(copy({}, {.bytes = 1 << 20}).error().message, HasSubstr("is over 1 MiB"));
}

}  // namespace
}  // namespace agentrun::host
