#include <fcntl.h>

#include <cerrno>
#include <cstdio>

#include "record/exchange.hpp"

namespace agentrun::host {

int exchange_names(const std::filesystem::path& one, const std::filesystem::path& other) {
  return ::renameat2(AT_FDCWD, one.c_str(), AT_FDCWD, other.c_str(), RENAME_EXCHANGE) == 0 ? 0 : errno;
}

}  // namespace agentrun::host
