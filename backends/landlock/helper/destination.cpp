#include "destination.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>

#include "target.hpp"

namespace agentrun::landlock {
namespace {

Destination refused_with(int error) {
  Destination refusal;
  refusal.error = error;
  return refusal;
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

Destination judge_local(const sockaddr_un& wanted, std::size_t size, const Caller& caller, const Options& options) {
  const std::size_t length = size - std::min(size, offsetof(sockaddr_un, sun_path));
  if (length == 0) return refused_with(EINVAL);
  // Its owner cannot be told from any other program of the host.
  if (wanted.sun_path[0] == '\0') return refused_with(EPERM);
  const std::string path(wanted.sun_path, ::strnlen(wanted.sun_path, std::min(length, sizeof wanted.sun_path)));

  Destination destination;
  destination.held = find(caller, {AT_FDCWD, path, true});
  if (!destination.held.valid()) return refused_with(errno);
  const std::string real = real_path(destination.held);
  const bool own = std::any_of(options.writable.begin(), options.writable.end(),
                               [&](const auto& directory) { return lies_below(real, directory); });
  const bool allowed = std::find(options.sockets.begin(), options.sockets.end(), real) != options.sockets.end();
  if (!own && !allowed) return refused_with(EACCES);
  struct stat status {};
  if (::fstat(destination.held.get(), &status) != 0 || !S_ISSOCK(status.st_mode)) return refused_with(ECONNREFUSED);

  destination.family = AF_UNIX;
  destination.address.local.sun_family = AF_UNIX;
  const std::string link = link_to(destination.held);
  link.copy(destination.address.local.sun_path, link.size());
  destination.size = sizeof(sockaddr_un);
  return destination;
}

}  // namespace agentrun::landlock
