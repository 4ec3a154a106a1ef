#include "session/search_path.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <system_error>

#include "agentrun/path.hpp"

namespace agentrun::host {
namespace {

namespace fs = std::filesystem;

bool is_executable_file(const fs::path& file) {
  struct stat facts {};
  return ::stat(file.c_str(), &facts) == 0 && S_ISREG(facts.st_mode) &&
         ::faccessat(AT_FDCWD, file.c_str(), X_OK, AT_EACCESS) == 0;
}

/// The file itself, or what its links lead to, can be written by the agent.
bool could_be_planted(const fs::path& file, const std::vector<fs::path>& writable) {
  return std::any_of(writable.begin(), writable.end(), [&](const fs::path& directory) {
    return contains(directory, file.parent_path()) || contains(directory, file);
  });
}

}  // namespace

Result<SearchPath> SearchPath::make(const std::vector<fs::path>& front, std::optional<std::string_view> path_variable,
                                    const Bases& bases) {
  SearchPath path;
  path.session_ = bases.session;
  const auto append = [&](const fs::path& directory, std::string_view written) {
    if (!path.directories_.empty()) path.text_ += ':';
    path.text_ += written;
    path.directories_.push_back(directory);
  };

  for (const auto& option : front) {
    const auto refuse = [&](const std::string& why) {
      return failure(ErrorCode::usage, "--path " + option.string() + ": " + why, "Give a directory that exists");
    };
    const fs::path directory = absolute_from(bases.caller, option);
    std::error_code error;
    if (option.empty() || !fs::exists(directory, error)) return refuse("no such directory");
    if (!fs::is_directory(directory, error)) return refuse("not a directory");
    if (directory.native().find(':') != std::string::npos) return refuse("a ':' would split it in PATH");
    append(directory, directory.native());
  }
  if (!path_variable || path_variable->empty()) return path;
  for (std::string_view rest = *path_variable;;) {
    const auto colon = rest.find(':');
    const std::string_view entry = rest.substr(0, colon);
    append(absolute_from(bases.session, fs::path(entry)), entry);
    if (colon == std::string_view::npos) return path;
    rest.remove_prefix(colon + 1);
  }
}

std::optional<fs::path> SearchPath::find(std::string_view name) const { return find_outside(name, {}); }

std::optional<fs::path> SearchPath::find_outside(std::string_view name, const std::vector<fs::path>& writable) const {
  const auto usable = [&](const fs::path& file) {
    return is_executable_file(file) && !could_be_planted(file, writable);
  };
  if (name.empty()) return std::nullopt;
  if (name.find('/') != std::string_view::npos) {
    fs::path file = session_ / name;
    return usable(file) ? std::optional(std::move(file)) : std::nullopt;
  }
  for (const auto& directory : directories_) {
    if (fs::path file = directory / name; usable(file)) return file;
  }
  return std::nullopt;
}

Result<fs::path> SearchPath::find_runtime(std::string_view name, const std::vector<fs::path>& writable) const {
  const auto file = find(name);
  if (!file) {
    return failure(ErrorCode::not_found, std::string(name) + " not found in the session PATH",
                   "Install it, or give its directory with --path DIR");
  }
  if (could_be_planted(*file, writable)) {
    return failure(ErrorCode::untrusted,
                   file->string() + " lies in a directory that the agent may write: a planted program would run " +
                       "outside the sandbox next time",
                   "Install " + std::string(name) + " elsewhere, or put its directory in front with --path DIR");
  }
  return *file;
}

}  // namespace agentrun::host
