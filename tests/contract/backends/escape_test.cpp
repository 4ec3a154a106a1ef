// Ways out that have worked somewhere, tried from inside.

#include <sys/ipc.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "backend_contract.hpp"

namespace agentrun::contract {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class Escape : public BackendContract {
 protected:
  void SetUp() override {
    BackendContract::SetUp();
    testing::write_file(outside / "file", "before");
    testing::write_file(outside / "key", "SECRET");
  }
  /// Runs an attack with $1 the directory outside, whose `key` is hidden, and sees that nothing came of it.
  void attack(const std::string& script) {
    const auto exited = shell(builder().hide(outside / "key"), script, {outside});
    EXPECT_THAT(exited.out, Not(HasSubstr("SECRET")));
    EXPECT_THAT(exited.out, Not(HasSubstr("ESCAPED"))) << exited.err;
    EXPECT_EQ(testing::read_file(outside / "file"), "before") << exited.err;
    EXPECT_EQ(testing::read_file(outside / "key"), "SECRET");
  }
};
INSTANTIATE_TEST_SUITE_P(Backends, Escape, ::testing::ValuesIn(confining_variants()), variant_name);

TEST_P(Escape, ByRemountingTheRootWritable) {
  attack("mount -o remount,rw / && echo ESCAPED; mount -o remount,bind,rw / && echo ESCAPED; echo x > \"$1\"/file");
}

TEST_P(Escape, ByTakingAwayTheCoverOfASecret) {
  attack("umount \"$1\"/key && echo ESCAPED; umount -l \"$1\"/key && echo ESCAPED; cat \"$1\"/key");
}

TEST_P(Escape, ByMountingOverOrElsewhere) {
  attack(
      "mkdir m; mount --bind \"$1\" m && echo ESCAPED; mount --rbind / m && echo ESCAPED; cat m/key; echo x > m/file; "
      "mount -t tmpfs none m && echo ESCAPED; mount -t proc none m && echo ESCAPED");
}

TEST_P(Escape, ByANewMountNamespace) {
  attack(
      "unshare -m sh -c 'umount -l \"$1\"/key; mount -o remount,bind,rw /; cat \"$1\"/key; echo x > \"$1\"/file' sh "
      "\"$1\"");
}

TEST_P(Escape, ByANewUserNamespace) {
  // Where one can be made at all, the mounts of the sandbox are locked in it.
  attack(
      "unshare -Urm sh -c 'umount -l \"$1\"/key && echo ESCAPED; mount -o remount,bind,rw / && echo ESCAPED; "
      "mount -o remount,bind,rw \"$1\" && echo ESCAPED; cat \"$1\"/key; echo x > \"$1\"/file; "
      "mkdir m; mount --bind \"$1\" m; umount -l m/key; cat m/key; echo x > m/file; umount -l / ; cat \"$1\"/key' sh "
      "\"$1\"");
}

TEST_P(Escape, ByMakingAUserNamespaceWhenTheyAreLocked) {
  if (lacks("can make user namespaces")) GTEST_SKIP() << "not locked in this variant";
  attack(
      "unshare -U true && echo ESCAPED; unshare -Ur true && echo ESCAPED; unshare -Urn true && echo ESCAPED; "
      "echo 100 > /proc/sys/user/max_user_namespaces && unshare -U true && echo ESCAPED");
}

TEST_P(Escape, ThroughTheRootOfAProcess) {
  attack(
      "for p in self 1 $$ $PPID; do echo x > /proc/$p/root\"$1\"/file; cat /proc/$p/root\"$1\"/key; "
      "cat /proc/$p/cwd/../outside/key; done");
}

TEST_P(Escape, ThroughAnyProcessInSight) {
  attack(
      "for p in /proc/[0-9]*; do cat $p/root\"$1\"/key 2>/dev/null; echo x 2>/dev/null > $p/root\"$1\"/file; "
      "nsenter -m -t ${p#/proc/} cat \"$1\"/key 2>/dev/null; nsenter -U -m -t ${p#/proc/} cat \"$1\"/key "
      "2>/dev/null; done");
}

TEST_P(Escape, ByASymbolicLink) {
  attack("ln -s \"$1\" out; echo x > out/file; cat out/key; ln -s \"$1\"/key k; cat k");
}

TEST_P(Escape, ByAHardLink) {
  attack("ln \"$1\"/key k && cat k; ln \"$1\"/file f && echo x > f; ln /proc/self/root\"$1\"/key k2 && cat k2");
}

TEST_P(Escape, ByAHardLinkFromAHiddenFileInTheWorkingDirectory) {
  if (!means().hides_inside_writable) GTEST_SKIP() << "this backend refuses such a policy";
  const auto secret = testing::write_file(cwd / "key", "SECRET");
  const auto exited = shell(builder().hide(secret), "ln key k; cat k; cp key c; cat c; ln -L key l; cat l");
  EXPECT_THAT(exited.out, Not(HasSubstr("SECRET")));
}

TEST_P(Escape, ByRenamingAcrossTheBorder) {
  attack("echo x > mine; mv mine \"$1\"/file; mv \"$1\"/file stolen; mv \"$1\" here");
}

TEST_P(Escape, ByReadingTheDiskItself) {
  struct stat status {};
  ASSERT_EQ(::stat(outside.c_str(), &status), 0);
  const std::string numbers = std::to_string(major(status.st_dev)) + " " + std::to_string(minor(status.st_dev));
  attack(
      "mknod disk b " + numbers +
      " && head -c 1 disk > /dev/null && echo ESCAPED; "
      "mknod mem c 1 1 && head -c 1 mem > /dev/null && echo ESCAPED; for d in /dev/vda /dev/sda /dev/mem /dev/kmsg; do "
      "head -c 1 $d > /dev/null && echo ESCAPED; done");
}

TEST_P(Escape, ThroughADeviceNodeThatLiesOutside) {
  // A node of another directory than /dev, as in a chroot that lies around.
  if (!runs_as_root()) GTEST_SKIP() << "only root can make a device node";
  if (!means().blocks_device_nodes) {
    EXPECT_TRUE(lacks("can read device nodes that lie outside of /dev"));
    return;
  }
  ASSERT_EQ(::mknod((outside / "zero").c_str(), S_IFCHR | 0666, makedev(1, 5)), 0);
  attack("head -c 1 \"$1\"/zero > /dev/null && echo ESCAPED");
}

TEST_P(Escape, ThroughTheKernelsSettings) {
  const std::string before = testing::read_file("/proc/sys/kernel/core_pattern");
  attack(
      "p=$(cat /proc/sys/kernel/core_pattern); "
      "for f in kernel/core_pattern kernel/modprobe kernel/hotplug fs/binfmt_misc/register; do "
      "test -e /proc/sys/$f && echo \"$p\" > /proc/sys/$f && echo ESCAPED; done; "
      "echo h > /proc/sysrq-trigger && echo ESCAPED");
  EXPECT_EQ(testing::read_file("/proc/sys/kernel/core_pattern"), before);
}

TEST_P(Escape, ThroughAMountThatTheHostMakesOnTheFirstLook) {
  // As systemd does with binfmt_misc. A mount namespace of the test's own stands for the host, shared as systemd's is.
  if (!runs_as_root()) GTEST_SKIP() << "only root may write there";
  if (!std::filesystem::is_directory("/proc/sys/fs/binfmt_misc")) GTEST_SKIP() << "the kernel has no binfmt_misc";
  const char* host =
      "mount --make-rshared / && cd \"$1\" && shift && { \"$@\" & } && until [ -e ready ]; do sleep 0.02; done; "
      "mount -t binfmt_misc none /proc/sys/fs/binfmt_misc && ls /proc/sys/fs/binfmt_misc; : >go; wait";
  const char* agent =
      ": >ready; until [ -e go ]; do sleep 0.02; done; echo INSIDE; ls /proc/sys/fs/binfmt_misc; "
      "( : >>/proc/sys/fs/binfmt_misc/register ) && echo ESCAPED";
  const Policy policy = built(builder());
  std::vector<std::string> line{"/usr/bin/unshare", "-m", "--propagation", "private", "/bin/sh", "-c", host, "sh", cwd};
  const auto planned = plan(policy, network(NetworkAccess::Kind::cut), {"/bin/sh", "-c", agent});
  line.insert(line.end(), planned.argv.begin(), planned.argv.end());
  testing::SpawnOptions options{environment, {}};
  if (!planned.inputs.empty()) options.third = planned.inputs.front().content;
  const auto exited = testing::BackendProcess(line, options).wait();
  EXPECT_THAT(exited.out, HasSubstr("register")) << exited.err;
  EXPECT_THAT(exited.out, HasSubstr("INSIDE")) << exited.err;
  EXPECT_THAT(exited.out, Not(HasSubstr("ESCAPED")));
}

TEST_P(Escape, ThroughCgroupsAndSysfs) {
  attack(
      "echo /bin/true > /sys/kernel/uevent_helper && echo ESCAPED; "
      "for f in /sys/fs/cgroup/release_agent /sys/fs/cgroup/*/release_agent /sys/power/state; do "
      "test -e $f && echo '' > $f && echo ESCAPED; done; mkdir /sys/fs/cgroup/agentrun-test && echo ESCAPED");
}

TEST_P(Escape, ByChangingTheRoot) {
  attack("mkdir -p jail; chroot jail true && echo ESCAPED; chroot / cat \"$1\"/key");
}

TEST_P(Escape, ByGainingPrivilegesFromASetUserIdProgram) {
  const auto exited = shell(builder(), "grep -E '^(NoNewPrivs|CapEff|CapPrm|CapAmb)' /proc/self/status");
  EXPECT_EQ(exited.out,
            "CapPrm:\t0000000000000000\nCapEff:\t0000000000000000\nCapAmb:\t0000000000000000\nNoNewPrivs:\t1\n");
}

TEST_P(Escape, ThroughTheSharedMemoryOfTheUsersOtherPrograms) {
  // A segment that belongs to the user of the run.
  const int id = ::shmget(IPC_PRIVATE, 4096, 0666);
  ASSERT_GE(id, 0);
  const auto exited = shell(builder(), "\"$1\" attach \"$2\"", {AGENTRUN_PROBE, std::to_string(id)});
  ::shmctl(id, IPC_RMID, nullptr);
  EXPECT_THAT(exited.out, HasSubstr("attach: ")) << exited.err;
}

TEST_P(Escape, ThroughTheHostsSharedMemoryDirectory) {
  const testing::TempDir probe;
  const std::string name = "/dev/shm/agentrun-test-" + probe.path().filename().native();
  testing::write_file(name, "SECRET");
  attack("cat /dev/shm/*; echo x > \"" + name + "\"");
  EXPECT_EQ(testing::read_file(name), "SECRET");
  std::filesystem::remove(name);
}

}  // namespace
}  // namespace agentrun::contract
