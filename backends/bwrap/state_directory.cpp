#include "state_directory.hpp"

#include <algorithm>
#include <system_error>

namespace agentrun::bwrap {
namespace fs = std::filesystem;

namespace {

bool mountable(const fs::path& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  return fs::is_directory(status) || fs::is_regular_file(status);
}

fs::path resolved(const fs::path& path) {
  std::error_code error;
  fs::path real = fs::canonical(path, error);
  return error ? path : real;
}

bool below(const fs::path& directory, const fs::path& path) {
  return std::mismatch(directory.begin(), directory.end(), path.begin(), path.end()).first == directory.end();
}

/// A link is followed, so that code linked into the directory from the working directory (an extension) is protected.
/// One that leads to a place that is read-only anyway gives no mount: the agent of an earlier run could have left a
/// link to "/", and mounting that would cover the sandbox's own /dev and /proc.
bool needs_protection(const fs::path& real, const StateDirectory& state, const Policy& policy) {
  if (std::any_of(state.writable_entries.begin(), state.writable_entries.end(),
                  [&](const std::string& name) { return real == state.directory / name; })) {
    return false;
  }
  return below(state.directory, real) || std::any_of(policy.writable().begin(), policy.writable().end(),
                                                     [&](const fs::path& writable) { return below(writable, real); });
}

Result<void> add_mounts(const StateDirectory& state, const Policy& policy, StateMounts& mounts) {
  std::error_code error;
  if (!fs::is_directory(state.directory, error)) return {};
  mounts.writable.push_back(state.directory);

  fs::directory_iterator entries(state.directory, error);
  for (; !error && entries != fs::directory_iterator(); entries.increment(error)) {
    const std::string name = entries->path().filename().native();
    if (std::find(state.writable_entries.begin(), state.writable_entries.end(), name) != state.writable_entries.end()) {
      continue;
    }
    if (!mountable(entries->path())) continue;
    fs::path real = resolved(entries->path());
    if (needs_protection(real, state, policy)) mounts.read_only.push_back(std::move(real));
  }
  if (error) {
    return failure(ErrorCode::io, "cannot list " + state.directory.native() + ": " + error.message(),
                   "Make the directory readable for the user who runs agentrun");
  }
  return {};
}

}  // namespace

Result<StateMounts> state_mounts(const Policy& policy) {
  StateMounts mounts;
  for (const StateDirectory& state : policy.states()) {
    if (auto added = add_mounts(state, policy, mounts); !added) return tl::unexpected(std::move(added.error()));
  }
  std::sort(mounts.read_only.begin(), mounts.read_only.end());
  mounts.read_only.erase(std::unique(mounts.read_only.begin(), mounts.read_only.end()), mounts.read_only.end());
  return mounts;
}

}  // namespace agentrun::bwrap
