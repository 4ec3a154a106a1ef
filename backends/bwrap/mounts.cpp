#include "mounts.hpp"

#include <algorithm>
#include <tuple>

namespace agentrun::bwrap {
namespace {

struct Bind {
  std::filesystem::path path;
  bool writable = false;
};

void append(std::vector<std::string>& arguments, std::initializer_list<std::string> more) {
  arguments.insert(arguments.end(), more);
}

/// Parents before children, so that the innermost rule wins; where both kinds name one path, writable wins (a login
/// file whose link points to another entry of the same directory).
void sort_outermost_first(std::vector<Bind>& binds) {
  std::sort(binds.begin(), binds.end(),
            [](const Bind& a, const Bind& b) { return std::tie(a.path, a.writable) < std::tie(b.path, b.writable); });
}

bool below(const std::filesystem::path& directory, const std::filesystem::path& path) {
  return std::mismatch(directory.begin(), directory.end(), path.begin(), path.end()).first == directory.end();
}

/// With an empty /tmp, only what is bound into it.
bool is_there(const std::filesystem::path& path, const std::vector<Bind>& binds) {
  if (!below("/tmp", path)) return true;
  return std::any_of(binds.begin(), binds.end(), [&](const Bind& bind) { return below(bind.path, path); });
}

}  // namespace

std::vector<std::string> policy_mounts(const Policy& policy, const StateMounts& state) {
  std::vector<Bind> binds;
  for (const auto& path : policy.writable()) binds.push_back({path, true});
  for (const auto& path : state.writable) binds.push_back({path, true});
  for (const auto& path : state.read_only) binds.push_back({path, false});
  sort_outermost_first(binds);

  std::vector<std::string> arguments;
  if (policy.private_tmp()) append(arguments, {"--tmpfs", "/tmp"});
  for (const Bind& bind : binds) {
    append(arguments, {bind.writable ? "--bind" : "--ro-bind", bind.path.native(), bind.path.native()});
  }
  for (const HiddenPath& hidden : policy.hidden()) {
    if (policy.private_tmp() && !is_there(hidden.path, binds)) continue;
    const std::string& path = hidden.path.native();
    if (hidden.directory) {
      append_empty_directory(arguments, path);
    } else {
      // bwrap mounts with nodev, so opening the device node is refused, for root too.
      append(arguments, {"--ro-bind", "/dev/null", path});
    }
  }
  return arguments;
}

}  // namespace agentrun::bwrap
