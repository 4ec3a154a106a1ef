#include "session/session_directory.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scratch.hpp"
#include "session/session_name.hpp"

namespace agentrun::host {
namespace {

namespace fs = std::filesystem;
using testing::content_of;
using testing::environment_of;
using ::testing::HasSubstr;
using testing::mode_of;
using testing::Scratch;

Environment caller_of(const fs::path& directory) { return environment_of({{"TMPDIR", directory.string()}}); }

SessionDirectory made_in(const fs::path& directory) {
  auto made = SessionDirectory::create(caller_of(directory));
  if (!made) throw std::runtime_error(describe(made.error()));
  return *std::move(made);
}

/// The process stands somewhere else while it lives.
class WorkingDirectory {
 public:
  explicit WorkingDirectory(const fs::path& path) : before_(fs::current_path()) { fs::current_path(path); }
  ~WorkingDirectory() { fs::current_path(before_); }
  WorkingDirectory(const WorkingDirectory&) = delete;
  WorkingDirectory& operator=(const WorkingDirectory&) = delete;

 private:
  fs::path before_;
};

TEST(SessionDirectoryParent, IsTmpdirOfTheCaller) {
  const Scratch scratch;
  EXPECT_EQ(SessionDirectory::parent_for(caller_of(scratch.path())), scratch.path());
  EXPECT_EQ(SessionDirectory::parent_for(caller_of(scratch.path().string() + "/")), scratch.path());
}

TEST(SessionDirectoryParent, IsTmpWhenUnsetOrEmpty) {
  const auto tmp = fs::canonical("/tmp");
  EXPECT_EQ(SessionDirectory::parent_for({}), tmp);
  EXPECT_EQ(SessionDirectory::parent_for(caller_of("")), tmp);
}

TEST(SessionDirectoryParent, ResolvesLinksAndRelativePaths) {
  const Scratch scratch;
  scratch.directory("real");
  fs::create_directory_symlink("real", scratch / "link");
  EXPECT_EQ(SessionDirectory::parent_for(caller_of(scratch / "link")), scratch / "real");
  const WorkingDirectory there(scratch.path());
  EXPECT_EQ(SessionDirectory::parent_for(caller_of("real")), scratch / "real");
}

TEST(SessionDirectory, IsPrivateAndNamedAfterItself) {
  const Scratch scratch;
  const auto session = made_in(scratch.path());
  EXPECT_EQ(session.parent(), scratch.path());
  EXPECT_EQ(mode_of(session.path()), 0700u);
  EXPECT_EQ(fs::canonical(session.path()), session.path());
  const auto name = parse_session_name(session.path().filename().string());
  ASSERT_TRUE(name);
  EXPECT_EQ(name->entry, SessionEntry::directory);
}

TEST(SessionDirectory, IsARealPathWhenTmpdirIsRelativeOrALink) {
  const Scratch scratch;
  scratch.directory("real");
  fs::create_directory_symlink("real", scratch / "link");
  const WorkingDirectory there(scratch.path());
  EXPECT_EQ(made_in("link").parent(), scratch / "real");
}

TEST(SessionDirectory, IsRefusedWhereItCannotBeMade) {
  const Scratch scratch;
  for (const auto& parent : {scratch / "none", scratch.file("file")}) {
    const auto session = SessionDirectory::create(caller_of(parent));
    ASSERT_FALSE(session);
    EXPECT_EQ(session.error().code, ErrorCode::io);
    EXPECT_THAT(session.error().message, HasSubstr(parent.string()));
    EXPECT_THAT(session.error().hint, HasSubstr("TMPDIR"));
  }
}

TEST(SessionDirectory, GoesWithItsOwner) {
  const Scratch scratch;
  {
    const auto session = made_in(scratch.path());
    fs::create_directories(session.path() / "a/b");
    ::chmod((session.path() / "a").c_str(), 0);
    ::chmod(session.path().c_str(), 0);
  }
  EXPECT_TRUE(fs::is_empty(scratch.path()));
}

TEST(SessionDirectory, MovesWithItsOwner) {
  const Scratch scratch;
  auto first = made_in(scratch.path());
  const auto path = first.path();
  {
    auto second = std::move(first);
    EXPECT_EQ(second.path(), path);
    first = made_in(scratch.path());
    EXPECT_NE(first.path(), path);
  }
  EXPECT_FALSE(fs::exists(path));
  EXPECT_TRUE(fs::exists(first.path()));
}

TEST(SessionDirectory, IsRemovedOnlyOnce) {
  const Scratch scratch;
  auto session = made_in(scratch.path());
  EXPECT_TRUE(session.remove());
  EXPECT_FALSE(fs::exists(session.path()));
  fs::create_directory(session.path());
  EXPECT_TRUE(session.remove());
  EXPECT_TRUE(fs::exists(session.path()));
}

TEST(SessionDirectory, StaysWhenKept) {
  const Scratch scratch;
  fs::path path;
  {
    auto session = made_in(scratch.path());
    path = session.path();
    EXPECT_TRUE(session.companion("codex"));
    EXPECT_TRUE(session.keep());
  }
  EXPECT_TRUE(fs::exists(path));
  EXPECT_TRUE(fs::exists(path.string() + "-codex"));
}

TEST(SessionDirectory, RemovesItsCompanions) {
  const Scratch scratch;
  {
    auto session = made_in(scratch.path());
    const auto companion = session.companion("codex");
    ASSERT_TRUE(companion);
    EXPECT_EQ(*companion, session.path().string() + "-codex");
    EXPECT_EQ(mode_of(*companion), 0700u);
    fs::create_symlink("/etc/passwd", *companion / "auth.json");
    EXPECT_FALSE(session.companion("codex"));
    EXPECT_FALSE(session.companion("../x"));
    EXPECT_FALSE(session.companion(""));
  }
  EXPECT_TRUE(fs::is_empty(scratch.path()));
}

TEST(SessionDirectory, IsNotMistakenForWhatWasPutInItsPlace) {
  const Scratch scratch;
  const auto precious = scratch.file("outside/precious", "kept");
  {
    const auto session = made_in(scratch.path());
    fs::create_directory(session.path() / "inside");
    fs::rename(session.path(), scratch / "stolen");
    fs::create_directory_symlink(scratch / "outside", session.path());
  }
  EXPECT_EQ(content_of(precious), "kept");
  EXPECT_TRUE(fs::is_empty(scratch / "stolen"));
}

TEST(WriteFile, MakesANewFileWithItsMode) {
  const Scratch scratch;
  ASSERT_TRUE(write_file(scratch / "a", "content", 0640));
  EXPECT_EQ(content_of(scratch / "a"), "content");
  EXPECT_EQ(mode_of(scratch / "a"), 0640u);
  ASSERT_TRUE(write_file(scratch / "b", ""));
  EXPECT_EQ(mode_of(scratch / "b"), 0600u);
}

TEST(WriteFile, RefusesAnyEntryThatIsThere) {
  const Scratch scratch;
  const auto file = scratch.file("file", "kept");
  fs::create_symlink(file, scratch / "link");
  fs::create_symlink(scratch / "nowhere", scratch / "dangling");
  for (const auto& path : {file, scratch / "link", scratch / "dangling", scratch.path(), scratch / "none/file"}) {
    const auto written = write_file(path, "new");
    ASSERT_FALSE(written) << path;
    EXPECT_THAT(written.error().message, HasSubstr(path.string()));
  }
  EXPECT_EQ(content_of(file), "kept");
  EXPECT_FALSE(fs::exists(scratch / "nowhere"));
}

}  // namespace
}  // namespace agentrun::host
