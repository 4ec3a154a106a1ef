#include "cli/caller.hpp"

#include <unistd.h>

#include <system_error>
#include <utility>

#include "cli/executable_path.hpp"

namespace agentrun::cli {

Result<host::Caller> read_caller() {
  host::Caller caller;
  caller.environment = Environment::from_block(environ);

  std::error_code error;
  caller.cwd = std::filesystem::current_path(error);
  if (error) {
    return failure(ErrorCode::io, "the current directory cannot be told: " + error.message(),
                   "Change to a directory that exists and can be reached");
  }

  auto executable = executable_path();
  if (!executable) return tl::unexpected<Error>(std::move(executable.error()));
  caller.executable = std::move(*executable);
  return caller;
}

}  // namespace agentrun::cli
