#include <fcntl.h>

#include <cerrno>
#include <cstdio>

#include "record/exchange.hpp"

namespace agentrun::host {

int exchange_names(const std::filesystem::path& one, const std::filesystem::path& other) {
  return ::renameatx_np(AT_FDCWD, one.c_str(), AT_FDCWD, other.c_str(), RENAME_SWAP) == 0 ? 0 : errno;
}

}  // namespace agentrun::host
