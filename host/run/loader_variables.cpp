#include "run/loader_variables.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "agentrun/path.hpp"

namespace agentrun::host {
namespace {

/// ld.so(8) and dyld(1); glibc loads converters from GCONV_PATH.
bool steers_the_loader(std::string_view name) {
  constexpr std::array<std::string_view, 8> names{"LD_PRELOAD",
                                                  "LD_AUDIT",
                                                  "LD_LIBRARY_PATH",
                                                  "GCONV_PATH",
                                                  "DYLD_INSERT_LIBRARIES",
                                                  "DYLD_LIBRARY_PATH",
                                                  "DYLD_FRAMEWORK_PATH",
                                                  "DYLD_FALLBACK_LIBRARY_PATH"};
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// An empty entry of a search path is the working directory.
bool leads_into(std::string_view list, const std::filesystem::path& cwd,
                const std::vector<std::filesystem::path>& writable) {
  while (true) {
    const std::size_t end = list.find_first_of(": ;");
    const std::filesystem::path entry = absolute_from(cwd, std::filesystem::path(list.substr(0, end)));
    const bool planted = std::any_of(writable.begin(), writable.end(),
                                     [&](const auto& directory) { return contains(directory, entry); });
    if (planted) return true;
    if (end == std::string_view::npos) return false;
    list.remove_prefix(end + 1);
  }
}

}  // namespace

Result<void> check_loader_variables(const Environment& session, const std::filesystem::path& cwd,
                                    const std::vector<std::filesystem::path>& writable) {
  for (const auto& [name, value] : session.variables()) {
    if (value.empty() || !steers_the_loader(name) || !leads_into(value, cwd, writable)) continue;
    return failure(ErrorCode::untrusted,
                   name + " leads into a directory that the agent may write: its code would run outside the sandbox",
                   "Remove it from the environment; to have it inside, start the command with env " + name + "=…");
  }
  return {};
}

}  // namespace agentrun::host
