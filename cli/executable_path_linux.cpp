#include <system_error>

#include "cli/executable_path.hpp"

namespace agentrun::cli {

Result<std::filesystem::path> executable_path() {
  std::error_code error;
  auto path = std::filesystem::read_symlink("/proc/self/exe", error);
  if (error) {
    return failure(ErrorCode::io, "cannot read /proc/self/exe: " + error.message(), "Mount /proc");
  }
  return path;
}

}  // namespace agentrun::cli
