// Runs inside the sandbox, or outside as the control, and tries one thing: prints "done", or why not.
//
//   landlock_attack NAME [ARGUMENT…]

#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <netinet/in.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <string>
#include <thread>
#include <vector>

namespace {

using Arguments = std::vector<std::string>;

int say(long result) {
  std::printf("%s\n", result >= 0 ? "done" : std::strerror(errno));
  return result >= 0 ? 0 : 1;
}

int number(const Arguments& arguments, std::size_t index) { return std::atoi(arguments.at(index).c_str()); }

sockaddr_in internet(const char* address, int port) {
  sockaddr_in name{};
  name.sin_family = AF_INET;
  name.sin_port = htons(static_cast<std::uint16_t>(port));
  ::inet_pton(AF_INET, address, &name.sin_addr);
  return name;
}

const sockaddr* generic(const sockaddr_in& name) { return reinterpret_cast<const sockaddr*>(&name); }

sockaddr_un local(const std::string& path) {
  sockaddr_un name{};
  name.sun_family = AF_UNIX;
  path.copy(name.sun_path, sizeof name.sun_path - 1);
  return name;
}

/// The registers as they are, upper halves too.
int make_socket(const Arguments& a) {
  const auto value = [&](std::size_t index) { return std::strtoull(a.at(index).c_str(), nullptr, 0); };
  return say(::syscall(SYS_socket, value(0), value(1), value(2)));
}

int make_pair(const Arguments& a) {
  int ends[2];
  return say(::socketpair(number(a, 0), number(a, 1), 0, ends));
}

int fast_open(const Arguments& a) {
  const int made = ::socket(AF_INET, SOCK_STREAM, 0);
  const sockaddr_in to = internet("127.0.0.1", number(a, 0));
  if (a.at(1) == "sendto") return say(::sendto(made, "x", 1, MSG_FASTOPEN, generic(to), sizeof to));
  if (a.at(1) == "option") {
    const int on = 1;
    return say(::setsockopt(made, IPPROTO_TCP, 30 /* TCP_FASTOPEN_CONNECT */, &on, sizeof on));
  }
  char byte = 'x';
  iovec bytes{&byte, 1};
  mmsghdr message{};
  message.msg_hdr.msg_name = const_cast<sockaddr_in*>(&to);
  message.msg_hdr.msg_namelen = sizeof to;
  message.msg_hdr.msg_iov = &bytes;
  message.msg_hdr.msg_iovlen = 1;
  if (a.at(1) == "sendmmsg") return say(::sendmmsg(made, &message, 1, MSG_FASTOPEN));
  return say(::sendmsg(made, &message.msg_hdr, MSG_FASTOPEN));
}

/// One thread connects, another changes the port all the time: to the allowed one, to the other one.
int race(const Arguments& a) {
  const int allowed = number(a, 0);
  const int other = number(a, 1);
  sockaddr_in shared = internet("127.0.0.1", allowed);
  std::atomic<bool> stop = false;
  std::thread changer([&] {
    volatile std::uint16_t* port = &shared.sin_port;
    while (!stop) {
      *port = htons(static_cast<std::uint16_t>(other));
      *port = htons(static_cast<std::uint16_t>(allowed));
    }
  });
  int connected = 0;
  for (int i = 0; i < number(a, 2); ++i) {
    const int made = ::socket(AF_INET, SOCK_STREAM, 0);
    if (::connect(made, generic(shared), sizeof shared) == 0) {
      ++connected;
      sockaddr_in peer{};
      socklen_t size = sizeof peer;
      ::getpeername(made, reinterpret_cast<sockaddr*>(&peer), &size);
      if (ntohs(peer.sin_port) != allowed) std::printf("ESCAPED\n");
    }
    ::close(made);
  }
  stop = true;
  changer.join();
  std::printf("%d connected\n", connected);
  return 0;
}

/// A socket that was bound by the sandbox: can it be made to listen to the network?
int listen_anywhere(const Arguments&) {
  const int made = ::socket(AF_INET, SOCK_STREAM, 0);
  const sockaddr_in any = internet("0.0.0.0", 0);
  const auto told = [&] {
    sockaddr_in name{};
    socklen_t size = sizeof name;
    ::getsockname(made, reinterpret_cast<sockaddr*>(&name), &size);
    return name.sin_addr.s_addr == htonl(INADDR_ANY);
  };
  bool open = false;
  ::bind(made, generic(any), sizeof any);
  ::listen(made, 1);
  open = open || told();
  // Takes the port away from a socket whose port was not asked for.
  ::shutdown(made, SHUT_RD);
  open = open || ::bind(made, generic(any), sizeof any) == 0;
  ::listen(made, 1);
  open = open || told();
  sockaddr nothing{};
  nothing.sa_family = AF_UNSPEC;
  ::connect(made, &nothing, sizeof nothing);
  open = open || ::bind(made, generic(any), sizeof any) == 0;
  errno = EACCES;
  return say(open ? 0 : -1);
}

int set_option(const Arguments& a) {
  const int made = ::socket(AF_INET, SOCK_STREAM, 0);
  const auto high = static_cast<long>(1) << 32;
  // A no-op option list; "lo" for devices, and its index.
  const unsigned char options[4] = {1, 1, 1, 1};
  if (a.at(0) == "source-route") return say(::syscall(SYS_setsockopt, made, high, high + 4, options, 4));
  if (a.at(0) == "device") return say(::setsockopt(made, SOL_SOCKET, SO_BINDTODEVICE, "lo", 2));
  const int index = 1;
  return say(::setsockopt(made, SOL_SOCKET, 62 /* SO_BINDTOIFINDEX */, &index, sizeof index));
}

int connect_local(const Arguments& a) {
  const int made = ::socket(AF_UNIX, SOCK_STREAM, 0);
  const sockaddr_un name = local(a.at(0));
  return say(::connect(made, reinterpret_cast<const sockaddr*>(&name), sizeof name));
}

int bind_local(const Arguments& a) {
  const int made = ::socket(AF_UNIX, SOCK_STREAM, 0);
  const sockaddr_un name = local(a.at(0));
  return say(::bind(made, reinterpret_cast<const sockaddr*>(&name), sizeof name));
}

int send_signal(const Arguments& a) { return say(::kill(number(a, 0), 0)); }

int send_signal_to_guard(const Arguments&) { return say(::kill(::getppid(), SIGSTOP)); }

int trace(const Arguments& a) { return say(::ptrace(PTRACE_SEIZE, number(a, 0), 0, 0)); }

int read_memory(const Arguments& a) {
  char byte = 0;
  iovec here{&byte, 1};
  iovec there{&byte, 1};
  return say(::process_vm_readv(a.empty() ? ::getpid() : number(a, 0), &here, 1, &there, 1, 0));
}

int open_file(const Arguments& a) { return say(::open(a.at(0).c_str(), O_RDONLY)); }
int open_to_write(const Arguments& a) { return say(::open(a.at(0).c_str(), O_WRONLY)); }
int open_to_truncate(const Arguments& a) { return say(::open(a.at(0).c_str(), O_RDONLY | O_TRUNC)); }
int cut_file(const Arguments& a) { return say(::truncate(a.at(0).c_str(), 0)); }

int write_by_directory(const Arguments& a) {
  const int directory = ::open(a.at(0).c_str(), O_PATH | O_DIRECTORY);
  return say(::openat(directory, a.at(1).c_str(), O_WRONLY | O_CREAT, 0600));
}

int change_mode(const Arguments& a) {
  const std::string& path = a.at(1);
  if (a.at(0) == "chmod") return say(::chmod(path.c_str(), 0700));
  if (a.at(0) == "fchmod") return say(::fchmod(::open(path.c_str(), O_RDONLY), 0700));
  if (a.at(0) == "fchmodat2") return say(::syscall(452, AT_FDCWD, path.c_str(), 0700, 0));
  if (a.at(0) == "link") {
    const std::string link = "/proc/self/fd/" + std::to_string(::open(path.c_str(), O_PATH));
    return say(::chmod(link.c_str(), 0700));
  }
  const int directory = ::open(path.substr(0, path.rfind('/')).c_str(), O_PATH | O_DIRECTORY);
  return say(::fchmodat(directory, path.substr(path.rfind('/') + 1).c_str(), 0700, 0));
}

int change_times(const Arguments& a) {
  const timespec times[2]{{1000, 0}, {2000, 0}};
  const timeval old[2]{{1000, 0}, {2000, 0}};
  const std::string& path = a.at(1);
  if (a.at(0) == "utimensat") return say(::utimensat(AT_FDCWD, path.c_str(), times, 0));
  if (a.at(0) == "lutimes") return say(::utimensat(AT_FDCWD, path.c_str(), times, AT_SYMLINK_NOFOLLOW));
  if (a.at(0) == "futimens") return say(::futimens(::open(path.c_str(), O_RDONLY), times));
  return say(::utimes(path.c_str(), old));
}

int change_attribute(const Arguments& a) {
  if (a.at(0) == "remove") return say(::removexattr(a.at(1).c_str(), "user.mark"));
  if (a.at(0) == "fd") return say(::fsetxattr(::open(a.at(1).c_str(), O_RDONLY), "user.mark", "x", 1, 0));
  return say(::setxattr(a.at(1).c_str(), "user.mark", "x", 1, 0));
}

int change_owner(const Arguments& a) { return say(::chown(a.at(0).c_str(), ::getuid(), ::getgid())); }

int call(const Arguments& a) {
  const auto value = [&](std::size_t index) {
    return index < a.size() ? std::strtoull(a[index].c_str(), nullptr, 0) : 0ULL;
  };
  return say(::syscall(static_cast<long>(value(0)), value(1), value(2), value(3), value(4), value(5)));
}

int fork_with_flags(const Arguments& a) {
  const auto flags = std::strtoull(a.at(0).c_str(), nullptr, 0);
  const long child = ::syscall(SYS_clone, flags | SIGCHLD, nullptr, nullptr, nullptr, nullptr);
  if (child == 0) ::_exit(0);
  return say(child);
}

int push_key(const Arguments& a) {
  const int terminal = ::posix_openpt(O_RDWR | O_NOCTTY);
  const char key = 'x';
  return say(::syscall(SYS_ioctl, terminal, std::strtoull(a.at(0).c_str(), nullptr, 0), &key));
}

/// A supervisor of one's own that is asked for every connect().
int supervise(const Arguments&) {
  sock_filter program[] = {BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
  sock_fprog filter{1, program};
  ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  return say(::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &filter));
}

#ifdef __x86_64__
int other_architecture(const Arguments&) {
  // getpid() of i386.
  long result = 20;
  __asm__ volatile("int $0x80" : "+a"(result) : : "memory", "r8", "r9", "r10", "r11");
  errno = static_cast<int>(-result);
  return say(result > 0 ? 0 : -1);
}
#endif

const std::map<std::string, std::function<int(const Arguments&)>>& attacks() {
  static const std::map<std::string, std::function<int(const Arguments&)>> table{
      {"socket", make_socket},
      {"socketpair", make_pair},
      {"fast-open", fast_open},
      {"race", race},
      {"listen", listen_anywhere},
      {"option", set_option},
      {"connect-unix", connect_local},
      {"bind-unix", bind_local},
      {"kill", send_signal},
      {"stop-parent", send_signal_to_guard},
      {"trace", trace},
      {"memory", read_memory},
      {"read", open_file},
      {"write", open_to_write},
      {"open-truncate", open_to_truncate},
      {"truncate", cut_file},
      {"write-at", write_by_directory},
      {"mode", change_mode},
      {"times", change_times},
      {"attribute", change_attribute},
      {"owner", change_owner},
      {"call", call},
      {"clone", fork_with_flags},
      {"key", push_key},
      {"supervise", supervise},
#ifdef __x86_64__
      {"i386", other_architecture},
#endif
  };
  return table;
}

}  // namespace

int main(int argc, char** argv) {
  const auto found = attacks().find(argc > 1 ? argv[1] : "");
  if (found == attacks().end()) {
    std::fprintf(stderr, "landlock_attack: no such attack\n");
    return 64;
  }
  return found->second({argv + 2, argv + argc});
}
