#include <unistd.h>

#include "plugins/platform.hpp"

namespace agentrun::host {

bool elevated() noexcept { return issetugid() != 0; }

ModuleImage::Format native_format() noexcept { return ModuleImage::Format::mach_o; }

}  // namespace agentrun::host
