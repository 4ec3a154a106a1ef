#include "backend_services.hpp"

#include <unistd.h>

#include <algorithm>

#include "backend_process.hpp"

namespace agentrun::testing {

std::optional<std::filesystem::path> BackendServices::find_tool(std::string_view name) const {
  for (const char* directory : {"/usr/local/bin", "/usr/bin", "/bin"}) {
    std::filesystem::path path = std::filesystem::path(directory) / name;
    if (::access(path.c_str(), X_OK) == 0) return path;
  }
  return std::nullopt;
}

CheckRun BackendServices::run(const CheckCommand& command) {
  const std::vector<std::string>& argv = command.argv;
  for (const std::string& option : refused_) {
    if (std::find(argv.begin(), argv.end(), option) != argv.end()) {
      return {.exit_code = 1, .output = {}, .error = "refused by the test: " + option};
    }
  }
  std::vector<std::string> whole = launcher_;
  whole.insert(whole.end(), argv.begin(), argv.end());
  const auto begin = std::chrono::steady_clock::now();
  const Exited exited = BackendProcess(whole, {}).wait();
  return {.exit_code = exited.code,
          .output = exited.out,
          .error = exited.err,
          .timed_out = !exited.code && exited.signal == 0,
          .duration = std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - begin)};
}

}  // namespace agentrun::testing
