// What the filters answer to a call, judged by carrying out their programs as the kernel would.

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <stdexcept>

#include "seccomp/filter_program.hpp"

namespace agentrun::seccomp {
namespace {

using ::testing::Le;

#if defined(__x86_64__)
constexpr std::uint32_t native = AUDIT_ARCH_X86_64;
#else
constexpr std::uint32_t native = AUDIT_ARCH_AARCH64;
#endif

constexpr std::uint32_t allowed = SECCOMP_RET_ALLOW;
constexpr std::uint32_t asked = SECCOMP_RET_USER_NOTIF;
constexpr std::uint32_t refused(int error) { return SECCOMP_RET_ERRNO | static_cast<std::uint32_t>(error); }

struct Call {
  long number;
  std::array<std::uint64_t, 6> arguments{};
  std::uint32_t architecture = native;
};

std::vector<sock_filter> instructions(FilterKind kind) {
  const std::string_view bytes = filter_program(kind);
  std::vector<sock_filter> program(bytes.size() / sizeof(sock_filter));
  std::memcpy(program.data(), bytes.data(), program.size() * sizeof(sock_filter));
  return program;
}

bool jumps(std::uint16_t code, std::uint32_t accumulator, std::uint32_t constant) {
  switch (code) {
    case BPF_JMP | BPF_JEQ | BPF_K:
      return accumulator == constant;
    case BPF_JMP | BPF_JGT | BPF_K:
      return accumulator > constant;
    case BPF_JMP | BPF_JGE | BPF_K:
      return accumulator >= constant;
    case BPF_JMP | BPF_JSET | BPF_K:
      return (accumulator & constant) != 0;
    default:
      throw std::runtime_error("an instruction that this test does not know");
  }
}

std::uint32_t answer(FilterKind kind, const Call& call) {
  seccomp_data data{};
  data.nr = static_cast<int>(call.number);
  data.arch = call.architecture;
  std::copy(call.arguments.begin(), call.arguments.end(), data.args);
  const auto program = instructions(kind);
  std::uint32_t accumulator = 0;
  for (std::size_t at = 0;; ++at) {
    const sock_filter& one = program.at(at);
    if (one.code == (BPF_RET | BPF_K)) return one.k;
    if (one.code == (BPF_LD | BPF_W | BPF_ABS)) {
      std::memcpy(&accumulator, reinterpret_cast<const char*>(&data) + one.k, sizeof accumulator);
    } else if (one.code == (BPF_ALU | BPF_AND | BPF_K)) {
      accumulator &= one.k;
    } else if (one.code == (BPF_JMP | BPF_JA)) {
      at += one.k;
    } else {
      at += jumps(one.code, accumulator, one.k) ? one.jt : one.jf;
    }
  }
}

class EveryFilter : public ::testing::TestWithParam<FilterKind> {
 protected:
  [[nodiscard]] static std::uint32_t of(const Call& call) { return answer(GetParam(), call); }
};
INSTANTIATE_TEST_SUITE_P(Kinds, EveryFilter,
                         ::testing::Values(FilterKind::open_network, FilterKind::own_network, FilterKind::supervised,
                                           FilterKind::supervised_with_locks));

TEST_P(EveryFilter, FitsIntoWhatTheKernelTakes) { EXPECT_THAT(instructions(GetParam()).size(), Le(BPF_MAXINSNS)); }

TEST_P(EveryFilter, LetsOrdinaryCallsPass) {
  for (const long number : {SYS_read, SYS_write, SYS_openat, SYS_mmap, SYS_execve, SYS_futex, SYS_exit_group, SYS_wait4,
                            SYS_recvfrom, SYS_sendmsg, SYS_bind, SYS_accept4, SYS_renameat2, SYS_linkat, SYS_ioctl}) {
    EXPECT_EQ(of({number}), allowed) << number;
  }
  // fork() and threads of the C library.
  EXPECT_EQ(of({SYS_clone, {0x01200011}}), allowed);
  EXPECT_EQ(of({SYS_clone, {0x003d0f00}}), allowed);
  EXPECT_EQ(of({SYS_unshare, {0x400}}), allowed);
  EXPECT_EQ(of({SYS_socketpair, {AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC}}), allowed);
  EXPECT_EQ(of({SYS_socket, {AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK}}), allowed);
}

TEST_P(EveryFilter, RefusesNewNamespaces) {
  for (const std::uint64_t flag :
       {0x20000UL, 0x02000000UL, 0x04000000UL, 0x08000000UL, 0x10000000UL, 0x20000000UL, 0x40000000UL}) {
    EXPECT_EQ(of({SYS_clone, {flag | 17}}), refused(EPERM)) << flag;
    EXPECT_EQ(of({SYS_unshare, {flag | 0x400}}), refused(EPERM)) << flag;
  }
  EXPECT_EQ(of({SYS_unshare, {0x80}}), refused(EPERM));
  EXPECT_EQ(of({SYS_setns}), refused(EPERM));
  EXPECT_EQ(of({435}), refused(ENOSYS));  // clone3
}

TEST_P(EveryFilter, ComparesWhatTheKernelLooksAt) {
  for (const std::uint64_t high : {0x0ULL, 0x1ULL, 0xffffffffULL, 0x80000000ULL}) {
    EXPECT_EQ(of({SYS_ioctl, {0, high << 32 | 0x5412}}), refused(EPERM));
    EXPECT_EQ(of({SYS_ioctl, {0, high << 32 | 0x541c}}), refused(EPERM));
    EXPECT_EQ(of({SYS_seccomp, {high << 32 | 1, high << 32 | 8}}), refused(EBUSY));
  }
  EXPECT_EQ(of({SYS_ioctl, {0, 0x5413}}), allowed);
  EXPECT_EQ(of({SYS_seccomp, {1, 1}}), allowed);
}

TEST_P(EveryFilter, RefusesOtherArchitectures) {
  EXPECT_EQ(of({20, {}, AUDIT_ARCH_I386}), refused(ENOSYS));
  EXPECT_EQ(of({39, {}, AUDIT_ARCH_ARM}), refused(ENOSYS));
  EXPECT_EQ(of({0x40000000 | 39}), refused(ENOSYS));  // x32
}

TEST_P(EveryFilter, RefusesWhatIsNewerThanItself) {
  for (const long number : {452L, 467L, 470L, 511L, 512L, 547L, 100000L, -1L}) EXPECT_EQ(of({number}), refused(ENOSYS));
}

TEST(OpenNetworkFilter, LeavesSocketsAlone) {
  EXPECT_EQ(answer(FilterKind::open_network, {SYS_socket, {AF_INET6, SOCK_DGRAM}}), allowed);
  EXPECT_EQ(answer(FilterKind::open_network, {SYS_connect}), allowed);
}

TEST(OwnNetworkFilter, LimitsTheFamilies) {
  const auto of = [](std::uint64_t family, std::uint64_t protocol = 0) {
    return answer(FilterKind::own_network, {SYS_socket, {family, SOCK_STREAM, protocol}});
  };
  for (const std::uint64_t family : {1UL, 2UL, 10UL, 16UL}) EXPECT_EQ(of(family), allowed) << family;
  for (std::uint64_t family = 0; family < 64; ++family) {
    if (family == AF_UNIX || family == AF_INET || family == AF_INET6 || family == AF_NETLINK) continue;
    EXPECT_EQ(of(family), refused(EAFNOSUPPORT)) << family;
    EXPECT_EQ(of(family | 1ULL << 32), refused(EAFNOSUPPORT)) << family;
  }
  EXPECT_EQ(of(AF_NETLINK, 12), refused(EAFNOSUPPORT));
  EXPECT_EQ(answer(FilterKind::own_network, {SYS_connect}), allowed);
  EXPECT_EQ(answer(FilterKind::own_network, {SYS_socketpair, {30, SOCK_STREAM}}), refused(EAFNOSUPPORT));
}

TEST(SupervisedFilter, AsksForEveryTcpSocketAndConnection) {
  const auto of = [](std::uint64_t family, std::uint64_t type, std::uint64_t protocol) {
    return answer(FilterKind::supervised, {SYS_socket, {family, type, protocol}});
  };
  for (const std::uint64_t flags : {0UL, 0x80000UL, 0x800UL, 0x80800UL}) {  // SOCK_CLOEXEC, SOCK_NONBLOCK
    EXPECT_EQ(of(AF_INET, SOCK_STREAM | flags, 0), asked);
    EXPECT_EQ(of(AF_INET, SOCK_STREAM | flags, 6), asked);
  }
  for (std::uint64_t protocol = 1; protocol < 300; ++protocol) {
    if (protocol != 6) {
      EXPECT_EQ(of(AF_INET, SOCK_STREAM, protocol), refused(EPROTONOSUPPORT)) << protocol;
    }
  }
  for (std::uint64_t type = 0; type < 16; ++type) {
    if (type != SOCK_STREAM) {
      EXPECT_EQ(of(AF_INET, type, 0), refused(EPROTONOSUPPORT)) << type;
    }
  }
  for (std::uint64_t family = 0; family < 64; ++family) {
    if (family != AF_UNIX && family != AF_INET) {
      EXPECT_EQ(of(family, 1, 0), refused(EAFNOSUPPORT)) << family;
    }
  }
  EXPECT_EQ(answer(FilterKind::supervised, {SYS_connect}), asked);
}

TEST(SupervisedFilter, NeverLetsASocketOfTheInternetPassWhateverTheUpperHalves) {
  constexpr std::uint64_t high = 1ULL << 32;
  for (const std::uint64_t family : {std::uint64_t{2}, high | 2, std::uint64_t{10}, high | 10}) {
    for (const std::uint64_t type : {std::uint64_t{1}, high | 1, std::uint64_t{2}, high | 2}) {
      for (const std::uint64_t protocol : {std::uint64_t{0}, high, std::uint64_t{6}, high | 6, high | 262}) {
        EXPECT_NE(answer(FilterKind::supervised, {SYS_socket, {family, type, protocol}}), allowed);
      }
    }
  }
}

TEST(SupervisedFilter, KnowsNoSendThatConnects) {
  constexpr std::uint64_t fast_open = 0x20000000;
  EXPECT_EQ(answer(FilterKind::supervised, {SYS_sendto, {0, 0, 0, fast_open | 0x4000}}), refused(EOPNOTSUPP));
  EXPECT_EQ(answer(FilterKind::supervised, {SYS_sendmsg, {0, 0, fast_open}}), refused(EOPNOTSUPP));
  EXPECT_EQ(answer(FilterKind::supervised, {SYS_sendmmsg, {0, 0, 0, fast_open}}), refused(EOPNOTSUPP));
  EXPECT_EQ(answer(FilterKind::supervised, {SYS_sendto, {0, 0, 0, 0x4000}}), allowed);
  for (const std::uint64_t type : {2UL, 3UL, 2UL | 0x80000UL}) {
    EXPECT_EQ(answer(FilterKind::supervised, {SYS_socket, {AF_UNIX, type}}), refused(EPROTONOSUPPORT));
    EXPECT_EQ(answer(FilterKind::supervised, {SYS_socketpair, {AF_UNIX, type}}), refused(EPROTONOSUPPORT));
  }
}

TEST(SupervisedFilter, RefusesCommandsThatChangeFilesOpenForReading) {
  for (const std::uint64_t command : {0x40086602UL, 0x401c5820UL, 0x40806685UL, 0x5000940eUL, 0x150009401UL}) {
    EXPECT_EQ(answer(FilterKind::supervised, {SYS_ioctl, {0, command}}), refused(EOPNOTSUPP)) << command;
  }
  // Reading flags; copies that share blocks; a terminal's settings.
  for (const std::uint64_t command : {0x80086601UL, 0x40049409UL, 0x4020940dUL, 0x5401UL, 0x5402UL}) {
    EXPECT_EQ(answer(FilterKind::supervised, {SYS_ioctl, {0, command}}), allowed) << command;
  }
}

TEST(SupervisedFilter, AsksForMetadataAndForLocksOnlyWhereThereAreSome) {
  for (const long number : {SYS_fchmod, SYS_fchmodat, SYS_fchownat, SYS_utimensat, SYS_setxattr, SYS_fremovexattr}) {
    EXPECT_EQ(answer(FilterKind::supervised, {number}), asked) << number;
  }
  constexpr std::uint64_t directory = 0x200;
  EXPECT_EQ(answer(FilterKind::supervised, {SYS_mkdirat}), allowed);
  EXPECT_EQ(answer(FilterKind::supervised_with_locks, {SYS_mkdirat}), asked);
  EXPECT_EQ(answer(FilterKind::supervised_with_locks, {SYS_unlinkat, {0, 0, directory}}), asked);
  EXPECT_EQ(answer(FilterKind::supervised_with_locks, {SYS_unlinkat}), allowed);
}

}  // namespace
}  // namespace agentrun::seccomp
