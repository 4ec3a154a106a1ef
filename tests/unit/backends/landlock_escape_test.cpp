// Ways out that the contract of all backends does not try, each with the control that it works without the sandbox.

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#include "landlock_fixture.hpp"

namespace agentrun::landlock {
namespace {

class LandlockEscape : public Sandboxed {
 protected:
  void refused(const std::vector<std::string>& arguments, const std::string& by) const {
    EXPECT_EQ(attack(arguments), by + "\n") << ::testing::PrintToString(arguments);
  }
  void works_outside(const std::vector<std::string>& arguments) const {
    EXPECT_EQ(outside_of_it(arguments), "done\n") << "the control: " << ::testing::PrintToString(arguments);
  }
  std::filesystem::path file = testing::write_file(outside / "file", "before");
  const std::string self = std::to_string(::getpid());
};

TEST_F(LandlockEscape, ByASocketOfAnotherKind) {
  const std::string no_family = "Address family not supported by protocol";
  const std::string no_protocol = "Protocol not supported";
  for (const char* family : {"10", "16", "17", "38", "40", "0", "44", "0x100000001"}) {
    refused({"socket", family, "2", "0"}, no_family);
  }
  works_outside({"socket", "10", "2", "0"});
  works_outside({"socket", "16", "3", "0"});
  for (const auto& [type, protocol] : std::vector<std::pair<const char*, const char*>>{{"2", "0"},
                                                                                       {"3", "6"},
                                                                                       {"5", "132"},
                                                                                       {"0x802", "17"},
                                                                                       {"1", "262"},
                                                                                       {"1", "0x100000106"},
                                                                                       {"0x100000002", "0"}}) {
    refused({"socket", "2", type, protocol}, no_protocol);
  }
  works_outside({"socket", "2", "2", "0"});
  works_outside({"socket", "2", "1", "262"});
}

TEST_F(LandlockEscape, ByADatagramToAUnixSocket) {
  refused({"socket", "1", "2", "0"}, "Protocol not supported");
  refused({"socket", "1", "3", "0"}, "Protocol not supported");
  refused({"socketpair", "1", "2"}, "Protocol not supported");
  works_outside({"socketpair", "1", "2"});
}

TEST_F(LandlockEscape, ByConnectingWithTheFirstBytes) {
  const testing::BackendEchoServer other;
  for (const char* call : {"sendto", "sendmsg", "sendmmsg"}) {
    refused({"fast-open", std::to_string(other.port()), call}, "Operation not supported");
    works_outside({"fast-open", std::to_string(other.port()), call});
  }
  refused({"fast-open", std::to_string(other.port()), "option"}, "Operation not permitted");
  works_outside({"fast-open", std::to_string(other.port()), "option"});
}

TEST_F(LandlockEscape, ByChangingTheAddressWhileItIsJudged) {
  const testing::BackendEchoServer other;
  proxy = std::make_unique<testing::BackendEchoServer>();
  const std::vector<std::string> arguments{"race", std::to_string(proxy->port()), std::to_string(other.port()), "2000"};
  EXPECT_THAT(outside_of_it(arguments), HasSubstr("ESCAPED")) << "the control";
  for (const bool in_container : {false, true}) {
    if (in_container) launcher = {AGENTRUN_LANDLOCK_CONTAINER};
    const std::string said = attack(arguments);
    EXPECT_THAT(said, Not(HasSubstr("ESCAPED")));
    EXPECT_THAT(said, Not(HasSubstr("\n0 connected")));
  }
}

TEST_F(LandlockEscape, ByListeningToTheNetwork) {
  refused({"listen"}, "Permission denied");
  works_outside({"listen"});
}

TEST_F(LandlockEscape, ByASocketThatLeavesLoopback) {
  for (const char* option : {"source-route", "device", "index"}) refused({"option", option}, "Operation not permitted");
  works_outside({"option", "source-route"});
  works_outside({"option", "index"});
}

TEST_F(LandlockEscape, ByAUnixSocketOutside) {
  const auto path = outside / "agent.sock";
  const testing::BackendEchoServer agent(path);
  std::filesystem::create_symlink(path, cwd / "link");
  std::filesystem::create_directory_symlink(outside, cwd / "directory");
  works_outside({"connect-unix", path});
  for (const std::filesystem::path& way :
       {path, cwd / "link", cwd / "directory" / "agent.sock", cwd / ".." / "outside" / "agent.sock",
        std::filesystem::path("link"), std::filesystem::path("../outside/agent.sock")}) {
    refused({"connect-unix", way}, "Permission denied");
  }
  refused({"connect-unix", "/proc/self/root" + path.native()}, "Too many levels of symbolic links");
  const auto exited =
      shell("ln \"$1\" mine; mv \"$1\" mine; \"$2\" connect-unix mine", {path, AGENTRUN_LANDLOCK_ATTACK});
  EXPECT_EQ(exited.out, "No such file or directory\n");
}

TEST_F(LandlockEscape, ByAnotherProcess) {
  refused({"kill", self}, "Operation not permitted");
  works_outside({"kill", self});
  refused({"stop-parent"}, "Operation not permitted");
  refused({"trace", self}, "Operation not permitted");
  refused({"memory", self}, "Operation not permitted");
  refused({"memory"}, "Operation not permitted");
  works_outside({"memory"});
  for (const char* name : {"mem", "environ", "maps", "root/etc/hostname", "cwd/."}) {
    refused({"read", "/proc/" + self + "/" + name}, "Permission denied");
    works_outside({"read", "/proc/" + self + "/" + name});
  }
}

TEST_F(LandlockEscape, ByTheGuardAboveIt) {
  const auto exited = shell(
      "g=$PPID; for f in mem environ maps fd; do cat /proc/$g/$f >/dev/null && echo ESCAPED; done; "
      "kill -9 $g && echo ESCAPED; kill -STOP $g && echo ESCAPED; kill -9 -$g && echo ESCAPED; echo end");
  EXPECT_EQ(exited.out, "end\n");
}

TEST_F(LandlockEscape, ByWritingOutside) {
  const auto path = file.native();
  std::filesystem::create_symlink(file, cwd / "link");
  for (const std::string& way : {path, (cwd / "link").native(), "/proc/self/root" + path}) {
    refused({"write", way}, "Permission denied");
    refused({"open-truncate", way}, "Permission denied");
    refused({"truncate", way}, "Permission denied");
  }
  refused({"write-at", outside, "file"}, "Permission denied");
  refused({"write-at", outside, "new"}, "Permission denied");
  refused({"bind-unix", outside / "socket"}, "Permission denied");
  EXPECT_EQ(testing::read_file(file), "before");
  works_outside({"write-at", outside, "new"});
  works_outside({"bind-unix", outside / "socket"});
}

TEST_F(LandlockEscape, ByAModeOutside) {
  ::chmod(file.c_str(), 0600);
  std::filesystem::create_symlink(file, cwd / "link");
  for (const char* way : {"chmod", "fchmod", "fchmodat", "link"}) {
    refused({"mode", way, file}, "Permission denied");
    refused({"mode", way, cwd / "link"}, "Permission denied");
  }
  refused({"mode", "fchmodat2", file}, "Function not implemented");
  EXPECT_EQ(std::filesystem::status(file).permissions(), std::filesystem::perms(0600));
  for (const char* way : {"chmod", "fchmod", "fchmodat", "link"}) works_outside({"mode", way, file});
}

TEST_F(LandlockEscape, ByTimesOwnersAndAttributesOutside) {
  for (const char* way : {"utimensat", "lutimes", "futimens", "utimes"}) {
    refused({"times", way, file}, "Permission denied");
    works_outside({"times", way, file});
  }
  refused({"owner", file}, "Permission denied");
  works_outside({"owner", file});
  refused({"attribute", "path", file}, "Permission denied");
  refused({"attribute", "fd", file}, "Permission denied");
  refused({"attribute", "remove", file}, "Permission denied");
}

TEST_F(LandlockEscape, ByANewNamespace) {
  for (const char* flags : {"0x10000000", "0x10020000", "0x40000000", "0x20000000", "0x08000000", "0x02000000"}) {
    refused({"clone", flags}, "Operation not permitted");
    refused({"call", std::to_string(SYS_unshare), flags}, "Operation not permitted");
  }
  refused({"call", std::to_string(SYS_unshare), "0x80"}, "Operation not permitted");
  refused({"call", std::to_string(SYS_setns), "0", "0"}, "Operation not permitted");
  refused({"call", "435", "0", "0"}, "Function not implemented");  // clone3
  if (::geteuid() == 0) works_outside({"clone", "0x08000000"});
}

TEST_F(LandlockEscape, ByACallOfTheKernelsDarkCorners) {
  const std::vector<std::pair<long, const char*>> calls{
      {SYS_io_uring_setup, "Function not implemented"},
      {SYS_keyctl, "Function not implemented"},
      {SYS_add_key, "Function not implemented"},
      {SYS_request_key, "Function not implemented"},
      {SYS_shmget, "Function not implemented"},
      {SYS_mq_open, "Function not implemented"},
      {SYS_bpf, "Operation not permitted"},
      {SYS_userfaultfd, "Operation not permitted"},
      {SYS_perf_event_open, "Operation not permitted"},
      {SYS_mount, "Operation not permitted"},
      {SYS_umount2, "Operation not permitted"},
      {SYS_open_tree, "Operation not permitted"},
      {SYS_move_mount, "Operation not permitted"},
      {SYS_fsopen, "Operation not permitted"},
      {SYS_open_by_handle_at, "Operation not permitted"},
      {SYS_chroot, "Operation not permitted"},
      {SYS_pidfd_getfd, "Operation not permitted"},
      {467, "Function not implemented"},  // open_tree_attr
      {500, "Function not implemented"},
  };
  for (const auto& [number, error] : calls) refused({"call", std::to_string(number)}, error);
  // The control of one: a new keyring for the session.
  works_outside({"call", std::to_string(SYS_keyctl), "1", "0"});
  works_outside({"call", std::to_string(SYS_userfaultfd), "1"});
}

TEST_F(LandlockEscape, ByAKeyPushedIntoTheTerminal) {
  for (const char* command : {"0x5412", "0x100005412", "0xffffffff00005412", "0x541c", "0x10000541c"}) {
    refused({"key", command}, "Operation not permitted");
  }
}

TEST_F(LandlockEscape, ByASupervisorOfItsOwn) {
  refused({"supervise"}, "Device or resource busy");
  works_outside({"supervise"});
}

#ifdef __x86_64__
TEST_F(LandlockEscape, ByTheCallsOfAnotherArchitecture) {
  refused({"call", "0x40000027"}, "Function not implemented");  // getpid of x32
  // A kernel without these calls ends the caller before any filter is asked, inside as outside.
  if (outside_of_it({"i386"}) == "done\n") {
    refused({"i386"}, "Function not implemented");
  } else {
    EXPECT_NE(attack({"i386"}), "done\n");
  }
}
#endif

TEST_F(LandlockEscape, ByTheDevices) {
  const testing::TempDir name;
  const auto shared = std::filesystem::path("/dev/shm") / name.path().filename();
  testing::write_file(shared, "SECRET");
  refused({"read", shared}, "Permission denied");
  refused({"write", shared}, "Permission denied");
  refused({"write-at", "/dev/shm", "new"}, "Permission denied");
  refused({"write-at", "/dev", "new"}, "Permission denied");
  works_outside({"read", shared});
  std::filesystem::remove(shared);
}

}  // namespace
}  // namespace agentrun::landlock
