#include <cerrno>

#include "kernel.hpp"

namespace agentrun::landlock {

Kernel this_kernel() noexcept { return {0, ENOSYS, false}; }

}  // namespace agentrun::landlock
