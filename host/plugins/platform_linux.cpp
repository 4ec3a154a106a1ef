#include <sys/auxv.h>

#include "plugins/platform.hpp"

namespace agentrun::host {

bool elevated() noexcept { return getauxval(AT_SECURE) != 0; }

ModuleImage::Format native_format() noexcept { return ModuleImage::Format::elf; }

}  // namespace agentrun::host
