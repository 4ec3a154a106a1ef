// The order of mounts is the policy: what comes later covers what came before.

#include "mounts.hpp"

#include <sys/stat.h>

#include "bwrap_fixture.hpp"

namespace agentrun::bwrap {
namespace {

using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using ::testing::IsEmpty;

Arguments bind(const std::filesystem::path& path) { return {"--bind", path.native(), path.native()}; }
Arguments ro_bind(const std::filesystem::path& path) { return {"--ro-bind", path.native(), path.native()}; }
Arguments hidden_directory(const std::filesystem::path& path) {
  return {"--tmpfs", path.native(), "--remount-ro", path.native()};
}
Arguments hidden_file(const std::filesystem::path& path) { return {"--ro-bind", "/dev/null", path.native()}; }

class BwrapMounts : public BwrapPlanning {
 protected:
  void SetUp() override { testing::make_directory(state); }
  [[nodiscard]] StateMounts entries(const Policy& policy) const {
    auto found = state_mounts(policy);
    if (!found) throw std::runtime_error(describe(found.error()));
    return *std::move(found);
  }
  [[nodiscard]] Policy with_state() const { return built(builder().state({state, {"auth.json", "auth.json.lock"}})); }

  std::filesystem::path state = root / "pi-agent";
};

TEST_F(BwrapMounts, HideAFileInsideAWritableDirectoryAfterBindingIt) {
  const auto secret = testing::write_file(cwd / "key", "x");
  const auto mounts = policy_mounts(built(builder().hide(secret)), {});
  EXPECT_THAT(mounts, ElementsAreArray(concat({bind(session), bind(cwd), hidden_file(secret)})));
}

TEST_F(BwrapMounts, MakeAHiddenDirectoryEmptyAndThenReadOnly) {
  const auto secret = testing::make_directory(root / "keys");
  const auto mounts = policy_mounts(built(builder().hide(secret)), {});
  EXPECT_THAT(mounts, ElementsAreArray(concat({bind(session), bind(cwd), hidden_directory(secret)})));
}

TEST_F(BwrapMounts, CoverBinfmtMiscForRootAfterTheKernelsSettings) {
  const Arguments root_only = base_mounts({.root = true, .binfmt_misc = true});
  const auto settings = find(root_only, {"--ro-bind", "/proc/sys", "/proc/sys"});
  const auto cover = find(root_only, hidden_directory("/proc/sys/fs/binfmt_misc"));
  ASSERT_TRUE(settings && cover);
  EXPECT_LT(*settings, *cover);
  EXPECT_FALSE(find(base_mounts({.root = true, .binfmt_misc = false}), {"--tmpfs"}));
  EXPECT_FALSE(find(base_mounts({.root = false, .binfmt_misc = true}), {"--tmpfs"}));
}

TEST_F(BwrapMounts, PutAnEmptyTmpBelowWhatIsBoundIntoIt) {
  const auto secret = testing::write_file(cwd / "key", "x");
  const auto other = testing::make_directory(root / "other");
  ASSERT_EQ(*std::next(root.path().begin()), "tmp") << "the temporary directory of this test is below /tmp";
  const auto mounts = policy_mounts(built(builder().hide(secret).hide(other).private_tmp(true)), {});
  EXPECT_THAT(mounts, ElementsAreArray(concat({{"--tmpfs", "/tmp"}, bind(session), bind(cwd), hidden_file(secret)})));
}

TEST_F(BwrapMounts, SkipAHiddenPathThatDoesNotExist) {
  const auto mounts = policy_mounts(built(builder().hide(root / "missing")), {});
  EXPECT_THAT(mounts, ElementsAreArray(concat({bind(session), bind(cwd)})));
}

TEST_F(BwrapMounts, BindAnOuterDirectoryBeforeAnInnerOne) {
  const auto inner = testing::make_directory(cwd / "tmp" / "agentrun-2");
  const auto mounts = policy_mounts(built(PolicyBuilder(cwd).writable(inner)), {});
  EXPECT_THAT(mounts, ElementsAreArray(concat({bind(cwd), bind(inner)})));
}

TEST_F(BwrapMounts, ProtectTheOtherEntriesOfAStateDirectory) {
  testing::write_file(state / "auth.json", "{}");
  testing::write_file(state / "settings.json", "{}");
  testing::make_directory(state / "extensions");
  const Policy policy = with_state();
  EXPECT_THAT(policy_mounts(policy, entries(policy)),
              ElementsAreArray(concat({bind(session), bind(state), ro_bind(state / "extensions"),
                                       ro_bind(state / "settings.json"), bind(cwd)})));
}

TEST_F(BwrapMounts, ProtectStateInsideTheWorkingDirectory) {
  state = testing::make_directory(cwd / ".pi");
  testing::write_file(state / "settings.json", "{}");
  const Policy policy = with_state();
  EXPECT_THAT(policy_mounts(policy, entries(policy)),
              ElementsAreArray(concat({bind(session), bind(cwd), bind(state), ro_bind(state / "settings.json")})));
}

TEST_F(BwrapMounts, KeepAWorkingDirectoryInsideTheStateDirectoryWritable) {
  cwd = testing::make_directory(state / "extensions" / "mine");
  const Policy policy = with_state();
  EXPECT_THAT(policy_mounts(policy, entries(policy)),
              ElementsAreArray(concat({bind(session), bind(state), ro_bind(state / "extensions"), bind(cwd)})));
}

TEST_F(BwrapMounts, KeepAWorkingDirectoryThatIsAnEntryOfTheStateDirectoryWritable) {
  cwd = testing::make_directory(state / "extensions");
  const Policy policy = with_state();
  EXPECT_THAT(policy_mounts(policy, entries(policy)),
              ElementsAreArray(concat({bind(session), bind(state), ro_bind(cwd), bind(cwd)})));
}

TEST_F(BwrapMounts, ProtectTheOtherEntriesOfEachStateDirectory) {
  const auto shared = testing::make_directory(root / "shared");
  const auto target = testing::write_file(shared / "auth.json", "{}");
  const auto other = testing::write_file(shared / "other", "");
  std::filesystem::create_symlink(target, state / "auth.json");
  const Policy policy = built(builder().state({state, {"auth.json"}}).state({shared, {"auth.json", "auth.json.lock"}}));
  EXPECT_THAT(policy_mounts(policy, entries(policy)),
              ElementsAreArray(concat({bind(session), bind(state), bind(shared), ro_bind(other), bind(cwd)})));
}

TEST_F(BwrapMounts, ProtectCodeThatIsLinkedFromTheWorkingDirectory) {
  const auto extension = testing::make_directory(cwd / "extension");
  std::filesystem::create_symlink("../work/extension", state / "mine");
  const Policy policy = with_state();
  EXPECT_THAT(entries(policy).read_only, ElementsAre(extension));
}

TEST_F(BwrapMounts, FollowNoLinkThatWouldCoverTheSandboxItself) {
  std::filesystem::create_symlink("/", state / "a");
  std::filesystem::create_symlink("/proc", state / "b");
  std::filesystem::create_symlink("/dev", state / "c");
  std::filesystem::create_symlink(root.path(), state / "d");
  EXPECT_THAT(entries(with_state()).read_only, IsEmpty());
}

TEST_F(BwrapMounts, LeaveAWritableEntryWritableWhenAnotherLinksToIt) {
  testing::write_file(state / "auth.json", "{}");
  std::filesystem::create_symlink("auth.json", state / "login.json");
  EXPECT_THAT(entries(with_state()).read_only, IsEmpty());
}

TEST_F(BwrapMounts, SkipSpecialFilesAndDanglingLinks) {
  ASSERT_EQ(::mkfifo((state / "pipe").c_str(), 0600), 0);
  std::filesystem::create_symlink("nowhere", state / "dangling");
  EXPECT_THAT(entries(with_state()).read_only, IsEmpty());
}

TEST_F(BwrapMounts, SkipAStateDirectoryThatDoesNotExist) {
  std::filesystem::remove(state);
  EXPECT_EQ(entries(with_state()), StateMounts{});
}

}  // namespace
}  // namespace agentrun::bwrap
