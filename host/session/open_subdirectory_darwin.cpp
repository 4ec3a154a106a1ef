#include <fcntl.h>

#include "session/remove_tree.hpp"

namespace agentrun::host {

// The caller compares device numbers, which differ at every mount: macOS has no bind mounts.
Descriptor open_subdirectory(int parent, const char* name) {
  return Descriptor(::openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
}

}  // namespace agentrun::host
