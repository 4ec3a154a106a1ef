#include <fcntl.h>

#include "session/remove_tree.hpp"

namespace agentrun::host {

// The caller compares device numbers, which differ at every mount: macOS has no bind mounts.
FileHandle open_subdirectory(int parent, const char* name) {
  return FileHandle(::openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
}

}  // namespace agentrun::host
