#include "session/remove_tree.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>

#include "scratch.hpp"
#include "session/opened_directory.hpp"

namespace agentrun::host {
namespace {

namespace fs = std::filesystem;
using testing::content_of;
using ::testing::HasSubstr;
using testing::Scratch;

Result<void> clear(const fs::path& path) { return clear_directory(open_directory(path).get()); }

void expect_cleared(const fs::path& path) {
  const auto cleared = clear(path);
  EXPECT_TRUE(cleared) << describe(cleared.error());
  EXPECT_TRUE(fs::is_empty(path));
}

TEST(ClearDirectory, RemovesEveryKindOfEntry) {
  const Scratch scratch;
  const auto root = scratch.directory("root");
  scratch.file("root/a/b/c/file", "x");
  scratch.file("root/.hidden");
  scratch.file("root/" + std::string(255, 'n'));
  scratch.file("root/line\nbreak \xff");
  scratch.directory("root/empty");
  scratch.fifo("root/fifo");
  fs::create_hard_link(root / "a/b/c/file", root / "hard");
  const Descriptor socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string name = (root / "s").string();
  ASSERT_LT(name.size(), sizeof(address.sun_path));
  name.copy(address.sun_path, name.size());
  ASSERT_EQ(::bind(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof(address)), 0);
  expect_cleared(root);
}

TEST(ClearDirectory, DoesNotFollowLinks) {
  const Scratch scratch;
  const auto precious = scratch.file("outside/precious", "kept");
  const auto root = scratch.directory("root");
  fs::create_directory_symlink(scratch / "outside", root / "to-directory");
  fs::create_symlink(precious, root / "to-file");
  fs::create_directory_symlink("..", root / "up");
  fs::create_directory_symlink("loop", root / "loop");
  expect_cleared(root);
  EXPECT_EQ(content_of(precious), "kept");
}

int clear_without_permissions() {
  const Scratch scratch;
  const auto root = scratch.directory("root");
  scratch.file("root/closed/inner/file");
  scratch.file("root/read-only/file");
  scratch.file("root/no-search/sub/file");
  ::chmod((root / "closed/inner").c_str(), 0);
  ::chmod((root / "closed").c_str(), 0);
  ::chmod((root / "read-only").c_str(), 0500);
  ::chmod((root / "no-search").c_str(), 0600);
  ::chmod(root.c_str(), 0500);
  return clear(root) && fs::is_empty(root) ? 0 : 1;
}

TEST(ClearDirectory, OpensUpWhatHasNoPermissions) {
  const pid_t child = ::fork();
  if (child == 0) {
    // Permissions mean nothing to root.
    if (::geteuid() == 0 && ::setuid(65534) != 0) ::_exit(2);
    ::_exit(clear_without_permissions());
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

/// Deeper than a path can name and than a process may open files.
void nest(const fs::path& root, int levels) {
  Descriptor at = open_directory(root);
  for (int level = 0; level < levels; ++level) {
    ASSERT_EQ(::mkdirat(at.get(), "d", 0700), 0) << level;
    const Descriptor file(::openat(at.get(), "f", O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
    at = Descriptor(::openat(at.get(), "d", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    ASSERT_TRUE(at.valid());
  }
}

/// Where many entries cost no disk.
fs::path memory() { return ::access("/dev/shm", W_OK) == 0 ? fs::path("/dev/shm") : fs::temp_directory_path(); }

TEST(ClearDirectory, GoesTenThousandLevelsDown) {
  const Scratch scratch(memory());
  const auto root = scratch.directory("root");
  nest(root, 10'000);
  expect_cleared(root);
}

TEST(ClearDirectory, GoesThroughManyEntries) {
  const Scratch scratch(memory());
  const auto root = scratch.directory("root");
  for (int i = 0; i < 2000; ++i) scratch.file("root/d" + std::to_string(i % 500) + "/f" + std::to_string(i));
  expect_cleared(root);
}

TEST(ClearDirectory, LeavesTheDirectoryAndWhatIsBesideIt) {
  const Scratch scratch;
  const auto root = scratch.directory("root");
  scratch.file("root/file");
  const auto beside = scratch.file("beside", "kept");
  expect_cleared(root);
  EXPECT_EQ(content_of(beside), "kept");
}

/// A name that would colour the terminal that shows it.
constexpr const char* mounted = "mounted\x1b[31m";

/// In a process of its own with its own mounts: 0 when the mounted directory is untouched and the rest is gone.
int clear_around_a_mount(const fs::path& root, const fs::path& outside) {
  if (::unshare(CLONE_NEWNS) != 0 && ::unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0) return 77;
  if (::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) return 77;
  if (::mount(outside.c_str(), (root / "sub" / mounted).c_str(), nullptr, MS_BIND, nullptr) != 0) return 77;
  const auto cleared = clear(root);
  if (cleared) return 1;
  if (content_of(outside / "precious") != "kept") return 2;
  if (fs::exists(root / "file") || fs::exists(root / "sub/other")) return 3;
  if (!fs::exists(root / "sub" / mounted / "precious")) return 4;
  if (cleared.error().message.find('\x1b') != std::string::npos) return 5;
  return 0;
}

TEST(ClearDirectory, DoesNotEnterABindMountOfTheSameFilesystem) {
  const Scratch scratch;
  const auto root = scratch.directory("root");
  scratch.directory(std::string("root/sub/") + mounted);
  scratch.file("root/sub/other/file");
  scratch.file("root/file");
  const auto outside = scratch.file("outside/precious", "kept").parent_path();
  const pid_t child = ::fork();
  if (child == 0) ::_exit(clear_around_a_mount(root, outside));
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status));
  if (WEXITSTATUS(status) == 77) GTEST_SKIP() << "no mount namespaces here";
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

TEST(RemoveOpened, LeavesWhatWasPutInItsPlace) {
  const Scratch scratch;
  const auto root = scratch.directory("root");
  scratch.file("root/file");
  const auto precious = scratch.file("outside/precious", "kept");
  const Descriptor opened = open_directory(root);
  fs::rename(root, scratch / "moved");
  fs::create_directory_symlink(scratch / "outside", root);
  EXPECT_TRUE(remove_opened(root, opened.get()));
  EXPECT_TRUE(fs::is_empty(scratch / "moved"));
  EXPECT_TRUE(fs::is_symlink(root));
  EXPECT_EQ(content_of(precious), "kept");
}

TEST(RemoveNamed, RefusesALink) {
  const Scratch scratch;
  const auto precious = scratch.file("outside/precious", "kept");
  fs::create_directory_symlink(scratch / "outside", scratch / "link");
  const auto removed = remove_named(scratch / "link");
  ASSERT_FALSE(removed);
  EXPECT_THAT(removed.error().message, HasSubstr((scratch / "link").string()));
  EXPECT_EQ(content_of(precious), "kept");
}

TEST(RemoveNamed, IsContentWhenThereIsNothing) {
  const Scratch scratch;
  EXPECT_TRUE(remove_named(scratch / "none"));
}

}  // namespace
}  // namespace agentrun::host
