#include "try_supervisor.hpp"

#include <netinet/in.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "descriptor.hpp"

namespace agentrun::landlock {

int try_supervisor() {
  const Descriptor made(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in nowhere{};
  nowhere.sin_family = AF_INET;
  nowhere.sin_port = htons(9);
  nowhere.sin_addr.s_addr = htonl(0x7f010101);
  errno = 0;
  const int result =
      made.valid() ? ::connect(made.get(), reinterpret_cast<const sockaddr*>(&nowhere), sizeof nowhere) : -1;
  if (result != 0 && errno == ECONNREFUSED) return 0;
  // ENOSYS: nobody answers. EFAULT: the supervisor cannot read memory (ptrace is closed to it, yama.ptrace_scope 2).
  std::fprintf(stderr, "agentrun-landlock: the supervisor of connections does not answer: %s\n",
               result == 0 ? "connected" : std::strerror(errno));
  return 1;
}

}  // namespace agentrun::landlock
