// generate_filters ARCHITECTURE FILE: writes the filters of filter_program.hpp as a source of C++.

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <seccomp.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "seccomp/denied_calls.hpp"

namespace {

using namespace agentrun::seccomp;  // NOLINT(*build-using-namespace): a program of one file
using Conditions = std::vector<scmp_arg_cmp>;

[[noreturn]] void fail(const std::string& what, int error) {
  std::fprintf(stderr, "generate_filters: %s: %s\n", what.c_str(), std::strerror(error));
  std::exit(1);
}

scmp_arg_cmp compare(unsigned argument, scmp_compare how, std::uint64_t a, std::uint64_t b = 0) {
  return {argument, how, a, b};
}
scmp_arg_cmp equal(unsigned argument, std::uint64_t value) { return compare(argument, SCMP_CMP_EQ, value); }
scmp_arg_cmp masked(unsigned argument, std::uint64_t mask, std::uint64_t value) {
  return compare(argument, SCMP_CMP_MASKED_EQ, mask, value);
}
/// The kernel looks at the lower half of an int's register. Attack: TIOCSTI with bits set in the upper half passed
/// filters that compared all 64 (CVE-2019-10063 of flatpak).
scmp_arg_cmp int_equal(unsigned argument, std::uint32_t value) { return masked(argument, 0xffffffff, value); }
scmp_arg_cmp has_bit(unsigned argument, std::uint64_t bit) { return masked(argument, bit, bit); }

class Filter {
 public:
  explicit Filter(std::uint32_t architecture) : context_(seccomp_init(SCMP_ACT_ALLOW)) {
    if (context_ == nullptr) fail("seccomp_init", ENOMEM);
    if (architecture != seccomp_arch_native()) {
      check("add the architecture", seccomp_arch_add(context_, architecture));
      check("remove the native architecture", seccomp_arch_remove(context_, seccomp_arch_native()));
    }
    check("bad architecture", seccomp_attr_set(context_, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_ERRNO(ENOSYS)));
    // A binary search over the numbers.
    check("optimize", seccomp_attr_set(context_, SCMP_FLTATR_CTL_OPTIMIZE, 2));
  }
  Filter(const Filter&) = delete;
  Filter& operator=(const Filter&) = delete;
  ~Filter() { seccomp_release(context_); }

  void rule(std::uint32_t action, const char* call, const Conditions& conditions = {}) {
    const int number = seccomp_syscall_resolve_name(call);
    if (number == __NR_SCMP_ERROR) fail(std::string("no such system call: ") + call, EINVAL);
    const int result = seccomp_rule_add_array(context_, action, number, static_cast<unsigned>(conditions.size()),
                                              conditions.empty() ? nullptr : conditions.data());
    // EDOM: the architecture does not have it.
    if (result < 0 && result != -EDOM) fail(std::string("rule for ") + call, -result);
  }

  [[nodiscard]] std::vector<sock_filter> program() const {
    const int file = memfd_create("filter", MFD_CLOEXEC);
    check("export", seccomp_export_bpf(context_, file));
    const off_t size = lseek(file, 0, SEEK_END);
    std::vector<sock_filter> rest(static_cast<std::size_t>(size) / sizeof(sock_filter));
    if (pread(file, rest.data(), static_cast<std::size_t>(size), 0) != size) fail("read back", errno);
    close(file);
    // libseccomp cannot compare the number itself. x32 (bit 30) is above every number too.
    std::vector<sock_filter> all{
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 0),
        BPF_JUMP(BPF_JMP | BPF_JGT | BPF_K, newest_allowed_call, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
    };
    all.insert(all.end(), rest.begin(), rest.end());
    return all;
  }

 private:
  static void check(const char* what, int result) {
    if (result < 0) fail(what, -result);
  }
  scmp_filter_ctx context_;
};

void deny_everywhere(Filter& filter) {
  for (const DeniedCall& call : denied_calls) {
    filter.rule(SCMP_ACT_ERRNO(static_cast<std::uint32_t>(call.error)), call.name);
  }

  constexpr std::uint64_t new_namespaces[] = {0x00020000, 0x02000000, 0x04000000, 0x08000000,
                                              0x10000000, 0x20000000, 0x40000000};
  for (const std::uint64_t flag : new_namespaces) {
    filter.rule(SCMP_ACT_ERRNO(EPERM), "clone", {has_bit(0, flag)});
    filter.rule(SCMP_ACT_ERRNO(EPERM), "unshare", {has_bit(0, flag)});
  }
  constexpr std::uint64_t new_time = 0x80;  // in clone a part of the signal's number
  filter.rule(SCMP_ACT_ERRNO(EPERM), "unshare", {has_bit(0, new_time)});

  // Keys pushed into the terminal that agentrun was started from are typed into the caller's shell.
  constexpr std::uint32_t tiocsti = 0x5412;
  constexpr std::uint32_t tioclinux = 0x541c;
  filter.rule(SCMP_ACT_ERRNO(EPERM), "ioctl", {int_equal(1, tiocsti)});
  filter.rule(SCMP_ACT_ERRNO(EPERM), "ioctl", {int_equal(1, tioclinux)});

  // A supervisor of the agent's own would be asked in place of ours and could let every call pass. The kernel allows
  // one a process (EBUSY); this does not depend on it.
  filter.rule(SCMP_ACT_ERRNO(EBUSY), "seccomp",
              {int_equal(0, SECCOMP_SET_MODE_FILTER), has_bit(1, SECCOMP_FILTER_FLAG_NEW_LISTENER)});
}

/// Values of an int that is no flag, all but some: as ranges, since a rule can look at an argument once only.
void deny_others(Filter& filter, std::uint32_t action, const char* call, unsigned argument, Conditions before,
                 const std::vector<std::uint64_t>& allowed) {
  std::uint64_t next = 0;
  for (const std::uint64_t value : allowed) {
    for (; next < value; ++next) {
      Conditions all = before;
      all.push_back(equal(argument, next));
      filter.rule(action, call, all);
    }
    next = value + 1;
  }
  before.push_back(compare(argument, SCMP_CMP_GE, next));
  filter.rule(action, call, before);
}

constexpr std::uint64_t type_mask = 0xf;  // SOCK_TYPE_MASK; above it SOCK_NONBLOCK and SOCK_CLOEXEC

void limit_to_own_network(Filter& filter) {
  const std::uint32_t no_family = SCMP_ACT_ERRNO(EAFNOSUPPORT);
  deny_others(filter, no_family, "socket", 0, {}, {AF_UNIX, AF_INET, AF_INET6, AF_NETLINK});
  filter.rule(no_family, "socket", {equal(0, AF_NETLINK), compare(2, SCMP_CMP_NE, 0)});  // NETLINK_ROUTE
  filter.rule(no_family, "socketpair", {compare(0, SCMP_CMP_NE, AF_UNIX)});
}

void supervise_sockets(Filter& filter) {
  const std::uint32_t no_family = SCMP_ACT_ERRNO(EAFNOSUPPORT);
  const std::uint32_t no_protocol = SCMP_ACT_ERRNO(EPROTONOSUPPORT);
  deny_others(filter, no_family, "socket", 0, {}, {AF_UNIX, AF_INET});
  filter.rule(no_family, "socketpair", {compare(0, SCMP_CMP_NE, AF_UNIX)});
  // A datagram goes to any address in the memory of sendmsg(), without a connect(). SOCK_RAW means the same there.
  for (const std::uint64_t type : {SOCK_DGRAM, SOCK_RAW}) {
    filter.rule(no_protocol, "socket", {equal(0, AF_UNIX), masked(1, type_mask, type)});
    filter.rule(no_protocol, "socketpair", {equal(0, AF_UNIX), masked(1, type_mask, type)});
  }
  for (std::uint64_t type = 0; type <= type_mask; ++type) {
    if (type != SOCK_STREAM) filter.rule(no_protocol, "socket", {equal(0, AF_INET), masked(1, type_mask, type)});
  }
  // MPTCP (262) makes subflows to other addresses by itself.
  const Conditions stream{equal(0, AF_INET), masked(1, type_mask, SOCK_STREAM)};
  deny_others(filter, no_protocol, "socket", 2, stream, {0, 6});
  for (const std::uint64_t protocol : {0UL, 6UL}) {
    filter.rule(SCMP_ACT_NOTIFY, "socket", {stream[0], stream[1], equal(2, protocol)});
  }

  filter.rule(SCMP_ACT_NOTIFY, "connect");
  // Connects with the first bytes. Without it TCP ignores the address of a send, and there are no datagrams.
  constexpr std::uint64_t fast_open = 0x20000000;
  filter.rule(SCMP_ACT_ERRNO(EOPNOTSUPP), "sendto", {has_bit(3, fast_open)});
  filter.rule(SCMP_ACT_ERRNO(EOPNOTSUPP), "sendmsg", {has_bit(2, fast_open)});
  filter.rule(SCMP_ACT_ERRNO(EOPNOTSUPP), "sendmmsg", {has_bit(3, fast_open)});

  struct Option {
    std::uint32_t level;
    std::uint32_t name;
  };
  constexpr Option leading_astray[] = {
      {0, 4},   // IP_OPTIONS: a source route sends packets for 127.0.0.1 to another machine first
      {0, 50},  // IP_UNICAST_IF
      {1, 25},  // SO_BINDTODEVICE: the same by another interface than loopback
      {1, 62},  // SO_BINDTOIFINDEX
      {6, 30},  // TCP_FASTOPEN_CONNECT: connects at the first write
      {6, 31},  // TCP_ULP: replaces the protocol
  };
  for (const Option& option : leading_astray) {
    filter.rule(SCMP_ACT_ERRNO(EPERM), "setsockopt", {int_equal(1, option.level), int_equal(2, option.name)});
  }
  for (const char* call : shared_ipc_calls) filter.rule(SCMP_ACT_ERRNO(ENOSYS), call);
}

void supervise(Filter& filter) {
  supervise_sockets(filter);
  for (const char* call : metadata_calls) filter.rule(SCMP_ACT_NOTIFY, call);
  constexpr std::uint64_t type_and_number = 0xffff;
  for (const unsigned command : file_commands) {
    filter.rule(SCMP_ACT_ERRNO(EOPNOTSUPP), "ioctl", {masked(1, type_and_number, command)});
  }
}

void supervise_locks(Filter& filter) {
  supervise(filter);
  for (const char* call : {"mkdir", "mkdirat", "rmdir"}) filter.rule(SCMP_ACT_NOTIFY, call);
  constexpr std::uint64_t directory = 0x200;  // AT_REMOVEDIR
  filter.rule(SCMP_ACT_NOTIFY, "unlinkat", {has_bit(2, directory)});
}

void write(std::FILE* out, const char* name, std::uint32_t architecture, const std::function<void(Filter&)>& rules) {
  Filter filter(architecture);
  deny_everywhere(filter);
  rules(filter);
  std::fprintf(out, "alignas(8) constexpr char %s_bytes[] = \"", name);
  for (const sock_filter& instruction : filter.program()) {
    unsigned char bytes[sizeof instruction];
    std::memcpy(bytes, &instruction, sizeof bytes);
    for (const unsigned char byte : bytes) std::fprintf(out, "\\x%02x", unsigned{byte});
  }
  std::fprintf(out, "\";\nconstinit const std::string_view %s(%s_bytes, sizeof %s_bytes - 1);\n", name, name, name);
}

std::uint32_t architecture_of(const std::string& processor) {
  if (processor == "x86_64" || processor == "amd64") return SCMP_ARCH_X86_64;
  if (processor == "aarch64" || processor == "arm64") return SCMP_ARCH_AARCH64;
  fail("no filter is made for the processor " + processor, ENOTSUP);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) fail("usage: generate_filters ARCHITECTURE FILE", EINVAL);
  const std::uint32_t architecture = architecture_of(argv[1]);
  std::FILE* out = std::fopen(argv[2], "w");
  if (out == nullptr) fail(argv[2], errno);
  std::fprintf(out, "#include \"seccomp/filter_bytes.hpp\"\n\nnamespace agentrun::seccomp {\n");
  write(out, "open_network", architecture, [](Filter&) {});
  write(out, "own_network", architecture, limit_to_own_network);
  write(out, "supervised", architecture, supervise);
  write(out, "supervised_with_locks", architecture, supervise_locks);
  std::fprintf(out, "}  // namespace agentrun::seccomp\n");
  return std::fclose(out) == 0 ? 0 : 1;
}
