// What a confined command may not write and not read.

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "backend_contract.hpp"

namespace agentrun::contract {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class Confinement : public BackendContract {};
INSTANTIATE_TEST_SUITE_P(Backends, Confinement, ::testing::ValuesIn(confining_variants()), variant_name);

TEST_P(Confinement, StartsInTheWorkingDirectory) { EXPECT_EQ(shell(builder(), "pwd -P").out, cwd.native() + "\n"); }

TEST_P(Confinement, ResolvesALinkedWorkingDirectory) {
  const auto link = stage / "link";
  std::filesystem::create_directory_symlink(cwd, link);
  const auto exited =
      shell(PolicyBuilder(link).writable(session), "pwd -P; echo x > file; echo x > \"$1\"/other", {link});
  EXPECT_EQ(exited.out, cwd.native() + "\n");
  EXPECT_TRUE(std::filesystem::exists(cwd / "file")) << exited.err;
  EXPECT_TRUE(std::filesystem::exists(cwd / "other")) << exited.err;
}

TEST_P(Confinement, TakesAnyDirectoryName) {
  for (const char* name :
       {"two words", "new\nline", "--bind", "quote'\"`$(id)\\", "not-utf8-\xff\xfe", "a,b:c!!d", "-"}) {
    const auto odd = testing::make_directory(stage.path() / name);
    const auto secret = testing::write_file(testing::make_directory(outside / name) / "-secret\n", "SECRET");
    const auto exited =
        shell(PolicyBuilder(odd).writable(session).hide(secret), "echo x > ./made; cat \"$1\"", {secret});
    EXPECT_TRUE(std::filesystem::exists(odd / "made")) << name << exited.err;
    EXPECT_THAT(exited.out, Not(HasSubstr("SECRET"))) << name;
  }
}

TEST_P(Confinement, CannotWriteOutside) {
  testing::write_file(outside / "file", "before");
  const auto exited = shell(builder(),
                            "echo x > \"$1\"/file; echo x > \"$1\"/new; rm -f \"$1\"/file; mkdir \"$1\"/dir; "
                            "mv \"$1\"/file \"$1\"/moved; chmod 777 \"$1\"; touch \"$1\"",
                            {outside});
  if (!lacks("can change modes and times of the user's files outside")) {
    EXPECT_NE(exited.code, 0);
    EXPECT_NE(std::filesystem::status(outside).permissions(), std::filesystem::perms::all);
  }
  EXPECT_THAT(exited.err, HasSubstr(traits.denied_text));
  EXPECT_EQ(testing::read_file(outside / "file"), "before");
  EXPECT_FALSE(std::filesystem::exists(outside / "new"));
  EXPECT_FALSE(std::filesystem::exists(outside / "dir"));
}

TEST_P(Confinement, CannotWriteTheTemporaryDirectoryAroundTheSession) {
  const auto exited = shell(builder(), "echo x > \"$1\"", {stage / "file"});
  EXPECT_NE(exited.code, 0);
  EXPECT_FALSE(std::filesystem::exists(stage / "file"));
}

TEST_P(Confinement, CannotReadAHiddenFile) {
  const auto secret = testing::write_file(outside / "key", "SECRET");
  const auto exited = shell(builder().hide(secret), "cat \"$1\"", {secret});
  EXPECT_NE(exited.code, 0);
  EXPECT_EQ(exited.out, "");
}

TEST_P(Confinement, CannotReadBelowAHiddenDirectory) {
  const auto keys = testing::make_directory(outside / "keys");
  testing::write_file(keys / "id", "SECRET");
  const auto exited = shell(builder().hide(keys), "cat \"$1\"/id; ls -A \"$1\"", {keys});
  EXPECT_EQ(exited.out, "");
}

TEST_P(Confinement, FailsToWriteIntoAHiddenDirectory) {
  std::vector<std::filesystem::path> directories{testing::make_directory(outside / "keys")};
  if (means().hides_inside_writable) directories.push_back(testing::make_directory(cwd / "keys"));
  for (const auto& hidden : directories) {
    const auto exited = shell(builder().hide(hidden), "echo x > \"$1\"/new", {hidden});
    EXPECT_NE(exited.code, 0) << hidden;
    EXPECT_FALSE(std::filesystem::exists(hidden / "new"));
  }
}

TEST_P(Confinement, LeavesNothingOfAHiddenPathBehind) {
  const auto place = means().hides_inside_writable ? cwd : outside;
  const auto file = testing::write_file(place / "key", "SECRET");
  const auto keys = testing::make_directory(place / "keys");
  testing::write_file(keys / "id", "SECRET");
  EXPECT_EQ(shell(builder().hide(file).hide(keys), "true").code, 0);
  EXPECT_EQ(testing::read_file(file), "SECRET");
  EXPECT_EQ(testing::read_file(keys / "id"), "SECRET");
}

TEST_P(Confinement, HidesAFileInsideTheWorkingDirectory) {
  const auto secret = testing::write_file(cwd / ".env", "SECRET");
  if (!means().hides_inside_writable) {
    const Policy policy = built(builder().hide(secret));
    const auto refused = backend->plan({policy, network(NetworkAccess::Kind::cut), session, {"/bin/true"}});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::unavailable);
    EXPECT_THAT(refused.error().message, HasSubstr(secret.native()));
    EXPECT_THAT(refused.error().hint, HasSubstr("--cwd"));
    return;
  }
  const auto exited = shell(builder().hide(secret), "cat .env; rm -f .env; mv .env x; cat x; echo new > .env");
  EXPECT_THAT(exited.out, Not(HasSubstr("SECRET")));
  EXPECT_EQ(testing::read_file(secret), "SECRET");
}

TEST_P(Confinement, HidesAFileThatALinkLeadsTo) {
  const auto secret = testing::write_file(outside / "key", "SECRET");
  std::filesystem::create_symlink(secret, cwd / "link");
  const auto exited = shell(builder().hide(cwd / "link"), "cat link; cat \"$1\"", {secret});
  EXPECT_EQ(exited.out, "");
}

TEST_P(Confinement, KeepsASecretHiddenWhenTheDirectoriesAboveItAreRenamed) {
  if (!means().hides_inside_writable) GTEST_SKIP() << "this backend refuses such a policy";
  const auto deep = testing::make_directory(cwd / "a" / "b");
  const auto secret = testing::write_file(deep / "key", "SECRET");
  const auto exited = shell(builder().hide(secret), "mv a c; cat c/b/key; mv c/b d; cat d/key; cat a/b/key");
  EXPECT_THAT(exited.out, Not(HasSubstr("SECRET")));
}

TEST_P(Confinement, CannotConnectToAHiddenUnixSocket) {
  const auto path = outside / "agent.sock";
  const int listener = ::socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  path.native().copy(address.sun_path, sizeof address.sun_path - 1);
  ASSERT_EQ(::bind(listener, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);  // NOLINT(*reinterpret-cast)
  ASSERT_EQ(::listen(listener, 1), 0);
  const auto seen = shell(builder(), "\"$1\" connect-unix \"$2\"", {AGENTRUN_PROBE, path});
  if (means().blocks_unix_sockets) {
    EXPECT_EQ(seen.out, "connect: Permission denied\n");
  } else {
    EXPECT_EQ(seen.out, "connected\n") << "the control: " << seen.err;
  }
  const auto hidden = shell(builder().hide(path), "\"$1\" connect-unix \"$2\"", {AGENTRUN_PROBE, path});
  EXPECT_THAT(hidden.out, HasSubstr("connect: "));
  ::close(listener);
}

class StateDirectories : public BackendContract {
 protected:
  [[nodiscard]] PolicyBuilder with_state() const { return builder().state({state, {"auth.json", "auth.json.lock"}}); }
  std::filesystem::path state = stage.make("pi");
};
INSTANTIATE_TEST_SUITE_P(Backends, StateDirectories, ::testing::ValuesIn(confining_variants()), variant_name);

TEST_P(StateDirectories, LetOnlyTheNamedEntriesBeWritten) {
  testing::write_file(state / "auth.json", "old");
  testing::write_file(state / "settings.json", "old");
  testing::write_file(testing::make_directory(state / "extensions") / "a.js", "old");
  const auto exited = shell(with_state(),
                            "cd \"$1\"; echo new > auth.json; mkdir auth.json.lock; echo new > settings.json; "
                            "rm -f settings.json; mv settings.json x; echo new > extensions/a.js; "
                            "mv extensions y; echo new > extensions/b.js",
                            {state});
  EXPECT_EQ(testing::read_file(state / "auth.json"), "new\n") << exited.err;
  EXPECT_TRUE(std::filesystem::is_directory(state / "auth.json.lock"));
  EXPECT_EQ(testing::read_file(state / "settings.json"), "old");
  EXPECT_EQ(testing::read_file(state / "extensions" / "a.js"), "old");
  EXPECT_FALSE(std::filesystem::exists(state / "extensions" / "b.js"));
}

TEST_P(StateDirectories, LetALoginFileBeReplacedInOneStep) {
  if (!means().makes_state_entries) GTEST_SKIP() << "files cannot be made there, since they could be made below too";
  testing::write_file(state / "auth.json", "old");
  const auto exited = shell(with_state(), "cd \"$1\"; echo new > .tmp && mv .tmp auth.json", {state});
  EXPECT_EQ(exited.code, 0) << exited.err;
  EXPECT_EQ(testing::read_file(state / "auth.json"), "new\n");
}

TEST_P(StateDirectories, LetALinkedLoginFileBeWritten) {
  const auto target = testing::write_file(outside / "auth.json", "old");
  std::filesystem::create_symlink(target, state / "auth.json");
  const auto other = testing::write_file(outside / "other", "old");
  const auto exited =
      shell(with_state().state({outside, {"auth.json", "auth.json.lock"}}),
            "mkdir \"$2\"/auth.json.lock; echo new > \"$1\"/auth.json; echo new > \"$2\"/other", {state, outside});
  EXPECT_EQ(testing::read_file(target), "new\n") << exited.err;
  EXPECT_TRUE(std::filesystem::is_directory(outside / "auth.json.lock"));
  EXPECT_EQ(testing::read_file(other), "old");
}

TEST_P(StateDirectories, StandLinksThatAnEarlierAgentLeft) {
  if (!means().makes_state_entries) testing::write_file(state / "auth.json", "old");
  std::filesystem::create_symlink("/", state / "root");
  std::filesystem::create_symlink("/proc", state / "proc");
  std::filesystem::create_symlink("loop", state / "loop");
  std::filesystem::create_symlink("/nowhere", state / "dangling");
  const auto exited =
      shell(with_state(), "echo new > \"$1\"/auth.json; echo x > /dev/null && ls /dev | wc -l", {state});
  EXPECT_EQ(exited.code, 0) << exited.err;
  EXPECT_EQ(testing::read_file(state / "auth.json"), "new\n");
}

}  // namespace
}  // namespace agentrun::contract
