#include "destination.hpp"

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <string_view>

namespace agentrun::landlock {
namespace {

Destination refused_with(int error) {
  Destination refusal;
  refusal.error = error;
  return refusal;
}

/// "/proc/self/…" would be the supervisor's own: links of that kind are refused (ELOOP).
Descriptor open_socket_file(const Descriptor& from, const std::string& path) {
  open_how how{};
  how.flags = O_PATH | O_CLOEXEC;
  how.resolve = RESOLVE_NO_MAGICLINKS;
  return Descriptor(static_cast<int>(::syscall(SYS_openat2, from.get(), path.c_str(), &how, sizeof how)));
}

bool lies_below(std::string_view path, std::string_view directory) {
  return path.size() > directory.size() && path.starts_with(directory) && path[directory.size()] == '/';
}

}  // namespace

Destination judge_internet(const sockaddr_in& wanted, const Options& options) noexcept {
  const bool loopback = (ntohl(wanted.sin_addr.s_addr) >> 24) == 127;
  const bool proxy = options.network == Network::proxied && wanted.sin_addr.s_addr == htonl(INADDR_LOOPBACK) &&
                     wanted.sin_port == htons(options.port);
  if (!proxy) return refused_with(loopback ? ECONNREFUSED : ENETUNREACH);
  Destination destination;
  destination.family = AF_INET;
  destination.address.internet.sin_family = AF_INET;
  destination.address.internet.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  destination.address.internet.sin_port = htons(options.port);
  destination.size = sizeof(sockaddr_in);
  return destination;
}

Destination judge_local(const sockaddr_un& wanted, std::size_t size, const Caller& caller,
                        const std::vector<std::string>& writable) {
  const std::size_t length = size - std::min(size, offsetof(sockaddr_un, sun_path));
  if (length == 0) return refused_with(EINVAL);
  // Its owner cannot be told from any other program of the host.
  if (wanted.sun_path[0] == '\0') return refused_with(EPERM);
  const std::string path(wanted.sun_path, ::strnlen(wanted.sun_path, std::min(length, sizeof wanted.sun_path)));

  const Descriptor from = caller.working_directory();
  if (!from.valid()) return refused_with(EACCES);
  Destination destination;
  destination.held = open_socket_file(from, path);
  if (!destination.held.valid()) return refused_with(errno);

  char link[64];
  std::snprintf(link, sizeof link, "/proc/self/fd/%d", destination.held.get());
  char real[PATH_MAX];
  const ssize_t real_size = ::readlink(link, real, sizeof real);
  if (real_size <= 0) return refused_with(EACCES);
  const std::string_view real_path(real, static_cast<std::size_t>(real_size));
  if (std::none_of(writable.begin(), writable.end(), [&](const auto& root) { return lies_below(real_path, root); })) {
    return refused_with(EACCES);
  }
  struct stat status {};
  if (::fstat(destination.held.get(), &status) != 0 || !S_ISSOCK(status.st_mode)) return refused_with(ECONNREFUSED);

  destination.family = AF_UNIX;
  destination.address.local.sun_family = AF_UNIX;
  std::memcpy(destination.address.local.sun_path, link, std::strlen(link) + 1);
  destination.size = sizeof(sockaddr_un);
  return destination;
}

}  // namespace agentrun::landlock
