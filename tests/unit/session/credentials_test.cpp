#include "session/credentials.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "scratch.hpp"
#include "session/sha256.hpp"

namespace agentrun::host {
namespace {

namespace fs = std::filesystem;
using testing::content_of;
using testing::environment_of;
using ::testing::HasSubstr;
using testing::mode_of;
using ::testing::Not;
using testing::Scratch;

LoginFile pi() { return *login_file_of("pi"); }

SessionEnvironment session_with(const std::string& value, std::initializer_list<Variable> variables) {
  SessionEnvironment session;
  session.environment = environment_of(variables);
  session.credentials = {{"AGENTRUN_PI_AUTH", value}};
  return session;
}

/// A session whose pi has its directory at `home`.
SessionEnvironment session_at(const fs::path& home, const std::string& value = "login one") {
  return session_with(value, {{"PI_CODING_AGENT_DIR", home.string()}});
}

WrittenCredentials written(const SessionEnvironment& session) {
  const auto result = write_credentials(pi(), session, "/");
  if (!result || !*result) {
    ADD_FAILURE() << (result ? "nothing to write" : describe(result.error()));
    return {};
  }
  return **result;
}

std::size_t entries(const fs::path& directory) {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(directory), {}));
}

TEST(LoginPath, IsInTheHomeOfTheRuntime) {
  const auto codex = *login_file_of("codex");
  EXPECT_EQ(login_path(pi(), environment_of({{"PI_CODING_AGENT_DIR", "/p"}, {"HOME", "/h"}}), "/w"), "/p/auth.json");
  EXPECT_EQ(login_path(pi(), environment_of({{"PI_CODING_AGENT_DIR", ""}, {"HOME", "/h"}}), "/w"),
            "/h/.pi/agent/auth.json");
  EXPECT_EQ(login_path(codex, environment_of({{"CODEX_HOME", "x/../c"}}), "/w"), "/w/c/auth.json");
  EXPECT_EQ(login_path(codex, environment_of({{"HOME", "rel"}}), "/w"), "/w/rel/.codex/auth.json");
  EXPECT_FALSE(login_path(codex, environment_of({{"PI_CODING_AGENT_DIR", "/p"}}), "/w"));
}

TEST(LoginPath, IsNoneForOtherRuntimes) {
  EXPECT_FALSE(login_file_of("claude-code"));
  EXPECT_FALSE(login_file_of("dsh"));
  EXPECT_FALSE(login_file_of(""));
}

TEST(Credentials, AreNotWrittenWithoutAVariable) {
  const Scratch scratch;
  SessionEnvironment session;
  session.environment = environment_of({{"HOME", scratch.path().string()}});
  session.credentials = {{"AGENTRUN_CODEX_AUTH", "of another runtime"}};
  const auto result = write_credentials(pi(), session, "/");
  ASSERT_TRUE(result);
  EXPECT_FALSE(*result);
  EXPECT_TRUE(fs::is_empty(scratch.path()));
}

TEST(Credentials, AreWrittenWithANote) {
  const Scratch scratch;
  const auto session = session_with("{\"key\":\"s3cret\"}\n", {{"HOME", scratch.path().string()}});
  const auto result = written(session);
  EXPECT_TRUE(result.written);
  EXPECT_EQ(result.variable, "AGENTRUN_PI_AUTH");
  const auto directory = scratch / ".pi/agent";
  EXPECT_EQ(result.path, directory / "auth.json");
  EXPECT_EQ(content_of(directory / "auth.json"), "{\"key\":\"s3cret\"}\n");
  EXPECT_EQ(content_of(directory / "auth.json.agentrun-sha256"), sha256_hex("{\"key\":\"s3cret\"}\n") + "\n");
  EXPECT_EQ(mode_of(directory / "auth.json"), 0600u);
  EXPECT_EQ(mode_of(directory / "auth.json.agentrun-sha256"), 0600u);
  EXPECT_EQ(mode_of(directory), 0700u);
  EXPECT_EQ(mode_of(scratch / ".pi"), 0700u);
  EXPECT_EQ(entries(directory), 2u);
}

TEST(Credentials, LeaveExistingDirectoriesAsTheyAre) {
  const Scratch scratch;
  const auto home = scratch.directory("home");
  fs::permissions(home, fs::perms(0755));
  written(session_at(home));
  EXPECT_EQ(mode_of(home), 0755u);
}

TEST(Credentials, LeaveARefreshedLoginAlone) {
  const Scratch scratch;
  written(session_at(scratch.path()));
  scratch.file("auth.json", "refreshed by the runtime");
  EXPECT_FALSE(written(session_at(scratch.path())).written);
  EXPECT_EQ(content_of(scratch / "auth.json"), "refreshed by the runtime");
}

TEST(Credentials, AreWrittenAgainWhenTheLoginIsMissing) {
  const Scratch scratch;
  written(session_at(scratch.path()));
  fs::remove(scratch / "auth.json");
  EXPECT_TRUE(written(session_at(scratch.path())).written);
  EXPECT_EQ(content_of(scratch / "auth.json"), "login one");
}

TEST(Credentials, OverwriteAfterANewValueOrWithoutAGoodNote) {
  const Scratch scratch;
  scratch.file("auth.json", "by hand");
  EXPECT_TRUE(written(session_at(scratch.path(), "one")).written);
  EXPECT_TRUE(written(session_at(scratch.path(), "two")).written);
  EXPECT_EQ(content_of(scratch / "auth.json"), "two");
  EXPECT_EQ(content_of(scratch / "auth.json.agentrun-sha256"), sha256_hex("two") + "\n");
  scratch.file("auth.json.agentrun-sha256", sha256_hex("two").substr(0, 63) + "\n");
  EXPECT_TRUE(written(session_at(scratch.path(), "two")).written);
  EXPECT_FALSE(written(session_at(scratch.path(), "two")).written);
}

TEST(Credentials, ReplaceALinkInsteadOfFollowingIt) {
  const Scratch scratch;
  const auto victim = scratch.file("victim", "precious");
  scratch.directory("home");
  fs::create_symlink(victim, scratch / "home/auth.json");
  fs::create_symlink(victim, scratch / "home/auth.json.agentrun-sha256");
  fs::create_symlink(victim, scratch / "home/auth.json.agentrun-new");
  EXPECT_TRUE(written(session_at(scratch / "home")).written);
  EXPECT_EQ(content_of(victim), "precious");
  EXPECT_FALSE(fs::is_symlink(scratch / "home/auth.json"));
  EXPECT_EQ(content_of(scratch / "home/auth.json"), "login one");
  EXPECT_EQ(entries(scratch / "home"), 2u);
}

TEST(Credentials, WriteADanglingLinksNameAnew) {
  const Scratch scratch;
  scratch.directory("home");
  fs::create_symlink(scratch / "nowhere", scratch / "home/auth.json");
  scratch.file("home/auth.json.agentrun-sha256", sha256_hex("login one") + "\n");
  EXPECT_TRUE(written(session_at(scratch / "home")).written);
  EXPECT_FALSE(fs::exists(scratch / "nowhere"));
}

TEST(Credentials, DoNotHangOnAFifoAsNote) {
  const Scratch scratch;
  scratch.file("auth.json");
  scratch.fifo("auth.json.agentrun-sha256");
  EXPECT_TRUE(written(session_at(scratch.path())).written);
  EXPECT_EQ(content_of(scratch / "auth.json.agentrun-sha256"), sha256_hex("login one") + "\n");
}

TEST(Credentials, StartFromTheWorkingDirectory) {
  const Scratch scratch;
  const auto result = write_credentials(pi(), session_at("rel/home"), scratch.path());
  ASSERT_TRUE(result);
  EXPECT_EQ((*result)->path, scratch / "rel/home/auth.json");
  EXPECT_EQ(content_of(scratch / "rel/home/auth.json"), "login one");
}

TEST(Credentials, NameVariableAndPathWhenRefusedAndNeverTheValue) {
  const Scratch scratch;
  scratch.file("file");
  scratch.directory("blocked/auth.json");
  for (const auto& home : {scratch / "file", scratch / "file/below", scratch / "blocked", fs::path("/proc/none")}) {
    const auto result = write_credentials(pi(), session_at(home, "hush"), "/");
    ASSERT_FALSE(result) << home;
    EXPECT_EQ(result.error().code, ErrorCode::io);
    EXPECT_THAT(result.error().message, HasSubstr("AGENTRUN_PI_AUTH"));
    EXPECT_THAT(result.error().message, HasSubstr((home / "auth.json").string()));
    EXPECT_FALSE(result.error().hint.empty());
    EXPECT_THAT(describe(result.error()), Not(HasSubstr("hush")));
  }
  EXPECT_EQ(entries(scratch / "blocked"), 1u);
}

TEST(Credentials, AreRefusedWithoutAPlace) {
  const auto result = write_credentials(pi(), session_with("hush", {}), "/");
  ASSERT_FALSE(result);
  EXPECT_THAT(result.error().message, HasSubstr("AGENTRUN_PI_AUTH"));
  EXPECT_THAT(result.error().message, HasSubstr("PI_CODING_AGENT_DIR nor HOME"));
}

/// Sixteen at once, `value_of(i)` each.
void write_in_parallel(const fs::path& home, const std::function<std::string(int)>& value_of) {
  std::atomic<int> failures = 0;
  std::vector<std::thread> runs;
  for (int i = 0; i < 16; ++i) {
    runs.emplace_back([&, i] {
      if (!write_credentials(pi(), session_at(home, value_of(i)), "/")) ++failures;
    });
  }
  for (auto& run : runs) run.join();
  EXPECT_EQ(failures, 0);
}

TEST(Credentials, AreWholeAfterSixteenParallelRuns) {
  const Scratch scratch;
  const auto long_value = [](int i) { return std::string(20'000, static_cast<char>('a' + i)); };
  for (int round = 0; round < 5; ++round) {
    const auto home = scratch / ("home" + std::to_string(round)) / "deep";
    write_in_parallel(home, long_value);
    const auto login = content_of(home / "auth.json");
    EXPECT_EQ(login, std::string(20'000, login.at(0)));
    EXPECT_EQ(content_of(home / "auth.json.agentrun-sha256"), sha256_hex(login) + "\n");
    EXPECT_EQ(entries(home), 2u);
  }
}

TEST(Credentials, AreWrittenOnceByParallelRunsWithOneValue) {
  const Scratch scratch;
  write_in_parallel(scratch / "home", [](int) { return "the same"; });
  EXPECT_EQ(content_of(scratch / "home/auth.json"), "the same");
  EXPECT_EQ(entries(scratch / "home"), 2u);
}

}  // namespace
}  // namespace agentrun::host
