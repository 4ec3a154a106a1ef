#include "session/private_directories.hpp"

#include <sys/stat.h>

#include <cerrno>
#include <system_error>

namespace agentrun::host {

int make_private_directories(const std::filesystem::path& directory) {
  std::filesystem::path made;
  for (const auto& part : directory) {
    made /= part;
    if (::mkdir(made.c_str(), S_IRWXU) == 0 || errno == EEXIST) continue;
    // On a read-only filesystem mkdir says so before it says that the directory exists.
    std::error_code ignored;
    const int error = errno;
    if (!std::filesystem::is_directory(made, ignored)) return error;
  }
  return 0;
}

}  // namespace agentrun::host
