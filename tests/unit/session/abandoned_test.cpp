#include <gtest/gtest.h>
#include <sys/wait.h>

#include <atomic>
#include <csignal>
#include <thread>

#include "scratch.hpp"
#include "session/session_directory.hpp"
#include "session/session_name.hpp"

namespace agentrun::host {
namespace {

namespace fs = std::filesystem;
using testing::content_of;
using testing::environment_of;
using testing::Scratch;

const std::string id = "00112233445566aa";

SessionDirectory made_in(const fs::path& directory) {
  auto made = SessionDirectory::create(environment_of({{"TMPDIR", directory.string()}}));
  if (!made) throw std::runtime_error(describe(made.error()));
  return *std::move(made);
}

/// A process makes a session and is killed by SIGKILL before it can remove it.
template <class Work>
void kill_in_session(const fs::path& directory, Work work) {
  const pid_t child = ::fork();
  if (child == 0) {
    auto session = made_in(directory);
    work(session);
    ::kill(::getpid(), SIGKILL);
    ::_exit(1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFSIGNALED(status));
}

std::size_t entries(const fs::path& directory) {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(directory), {}));
}

TEST(Abandoned, IsWhatAKilledRunLeft) {
  const Scratch scratch;
  kill_in_session(scratch.path(), [](SessionDirectory& session) {
    fs::create_directories(session.path() / "a/b");
    (void)session.companion("codex");
    ::chmod(session.path().c_str(), 0);
  });
  ASSERT_EQ(entries(scratch.path()), 2u);
  remove_abandoned(scratch.path());
  EXPECT_EQ(entries(scratch.path()), 0u);
}

TEST(Abandoned, IsNotWhatALiveRunHas) {
  const Scratch scratch;
  auto session = made_in(scratch.path());
  const auto companion = session.companion("codex");
  ASSERT_TRUE(companion);
  std::ofstream(session.path() / "file") << "x";
  std::ofstream(*companion / "file") << "x";
  remove_abandoned(scratch.path());
  EXPECT_TRUE(fs::exists(session.path() / "file"));
  EXPECT_TRUE(fs::exists(*companion / "file"));
}

TEST(Abandoned, IsNotWhatDebugKept) {
  const Scratch scratch;
  kill_in_session(scratch.path(), [](SessionDirectory& session) {
    (void)session.companion("codex");
    (void)session.keep();
  });
  remove_abandoned(scratch.path());
  remove_abandoned(scratch.path());
  EXPECT_EQ(entries(scratch.path()), 3u);
}

TEST(Abandoned, IsAMarkWhoseDirectoryTheUserRemoved) {
  const Scratch scratch;
  scratch.file(session_mark_name(id));
  scratch.directory(session_companion_name(id, "codex"));
  remove_abandoned(scratch.path());
  EXPECT_EQ(entries(scratch.path()), 0u);
}

TEST(Abandoned, IsNothingWithAnotherName) {
  const Scratch scratch;
  for (const auto* name : {"agentrun", "agentrun-data", "agentrun-0011223344556677x", "agentrun-00112233445566AA"}) {
    scratch.file(std::string(name) + "/file");
  }
  remove_abandoned(scratch.path());
  EXPECT_EQ(entries(scratch.path()), 4u);
}

TEST(Abandoned, IsNoLinkAndNoFile) {
  const Scratch scratch;
  const auto precious = scratch.file("outside/precious", "kept");
  const Scratch parent;
  fs::create_directory_symlink(scratch / "outside", parent / session_directory_name(id));
  fs::create_directory_symlink(scratch / "outside", parent / session_companion_name("ffffffffffffffff", "codex"));
  parent.file(session_directory_name("aaaaaaaaaaaaaaaa"), "a file");
  remove_abandoned(parent.path());
  EXPECT_EQ(content_of(precious), "kept");
  EXPECT_EQ(entries(parent.path()), 3u);
}

TEST(Abandoned, IsNotAnotherUsers) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can give a directory away";
  const Scratch scratch;
  const auto theirs = scratch.directory(session_directory_name(id));
  const auto companion = scratch.directory(session_companion_name("ffffffffffffffff", "codex"));
  ASSERT_EQ(::chown(theirs.c_str(), 65534, 65534), 0);
  ASSERT_EQ(::chown(companion.c_str(), 65534, 65534), 0);
  remove_abandoned(scratch.path());
  EXPECT_TRUE(fs::exists(theirs));
  EXPECT_TRUE(fs::exists(companion));
}

TEST(Abandoned, IsNothingInAParentThatIsMissing) {
  const Scratch scratch;
  remove_abandoned(scratch / "none");
  EXPECT_EQ(entries(scratch.path()), 0u);
}

TEST(Abandoned, IsNeverASessionThatStartsAtTheSameTime) {
  const Scratch scratch;
  std::atomic<bool> done = false;
  std::vector<std::thread> removers;
  for (int i = 0; i < 3; ++i) {
    removers.emplace_back([&] {
      while (!done) remove_abandoned(scratch.path());
    });
  }
  int lost = 0;
  for (int i = 0; i < 300; ++i) {
    auto session = SessionDirectory::create(environment_of({{"TMPDIR", scratch.path().string()}}));
    if (!session || !write_file(session->path() / "file", "x") || !session->companion("codex") ||
        !fs::exists(session->path() / "file")) {
      ++lost;
    }
  }
  done = true;
  for (auto& remover : removers) remover.join();
  EXPECT_EQ(lost, 0);
  remove_abandoned(scratch.path());
  EXPECT_EQ(entries(scratch.path()), 0u);
}

}  // namespace
}  // namespace agentrun::host
