#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

#include "session/remove_tree.hpp"

namespace agentrun::host {

Descriptor open_subdirectory(int parent, const char* name) {
  constexpr int flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
  // RESOLVE_NO_XDEV (Linux 5.6) sees bind mounts too, which have the device number of the directory around them.
  open_how how{};
  how.flags = flags;
  how.resolve = RESOLVE_NO_XDEV | RESOLVE_NO_SYMLINKS | RESOLVE_BENEATH;
  const long opened = ::syscall(SYS_openat2, parent, name, &how, sizeof(how));
  if (opened >= 0) return Descriptor(static_cast<int>(opened));
  // Older kernels do not know the call; older container runtimes answer EPERM for calls that they do not know.
  if (errno != ENOSYS && errno != EPERM) return Descriptor();
  return Descriptor(::openat(parent, name, flags));
}

}  // namespace agentrun::host
