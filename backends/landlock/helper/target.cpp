#include "target.hpp"

#include <linux/openat2.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <climits>
#include <optional>

namespace agentrun::landlock {
namespace {

std::optional<int> own_descriptor(std::string_view path) {
  for (const std::string_view prefix : {"/proc/self/fd/", "/proc/thread-self/fd/", "/dev/fd/"}) {
    if (!path.starts_with(prefix)) continue;
    path.remove_prefix(prefix.size());
    int number = -1;
    const auto read = std::from_chars(path.data(), path.data() + path.size(), number);
    if (read.ec == std::errc() && read.ptr == path.data() + path.size() && number >= 0) return number;
  }
  return std::nullopt;
}

bool same_or_below(std::string_view path, std::string_view place) { return path == place || lies_below(path, place); }

}  // namespace

Descriptor find(const Caller& caller, const Place& place) {
  if (place.follow) {
    if (const auto number = own_descriptor(place.path)) return caller.reopen(*number);
  }
  const bool absolute = place.path.starts_with('/');
  Descriptor from;
  if (!absolute) from = place.number == AT_FDCWD ? caller.working_directory() : caller.reopen(place.number);
  if (place.path.empty() || (!absolute && !from.valid())) return from;
  open_how how{};
  how.flags = static_cast<std::uint64_t>(O_PATH | O_CLOEXEC | (place.follow ? 0 : O_NOFOLLOW));
  how.resolve = RESOLVE_NO_MAGICLINKS;
  return Descriptor(static_cast<int>(::syscall(SYS_openat2, from.get(), place.path.c_str(), &how, sizeof how)));
}

std::string link_to(const Descriptor& held) { return "/proc/self/fd/" + std::to_string(held.get()); }

std::string real_path(const Descriptor& held) {
  char path[PATH_MAX];
  const ssize_t size = ::readlink(link_to(held).c_str(), path, sizeof path);
  return size > 0 ? std::string(path, static_cast<std::size_t>(size)) : std::string();
}

bool lies_below(std::string_view path, std::string_view directory) noexcept {
  return path.size() > directory.size() && path.starts_with(directory) && path[directory.size()] == '/';
}

bool may_change(std::string_view real_path, const Options& options) {
  for (const std::string_view without_place : {"pipe:[", "socket:[", "anon_inode:", "/memfd:"}) {
    if (real_path.starts_with(without_place)) return true;
  }
  const auto holds = [&](const std::string& place) { return same_or_below(real_path, place); };
  if (std::any_of(options.writable.begin(), options.writable.end(), holds)) return true;
  return std::any_of(options.states.begin(), options.states.end(), [&](const State& state) {
    return std::any_of(state.entries.begin(), state.entries.end(),
                       [&](const std::string& entry) { return holds(state.directory + "/" + entry); });
  });
}

}  // namespace agentrun::landlock
