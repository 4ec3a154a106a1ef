#pragma once
// The file that a call names, found as the caller would find it and held, so that what was judged is what is used.

#include <fcntl.h>

#include <string>
#include <string_view>

#include "caller.hpp"
#include "descriptor.hpp"
#include "options.hpp"

namespace agentrun::landlock {

/// Directory and path as in openat(2); `number` may be AT_FDCWD.
struct Place {
  int number = AT_FDCWD;
  std::string path;  ///< empty: `number` itself
  bool follow = true;
};

/// Invalid, with errno. Links of /proc are refused (ELOOP): "self" would be the supervisor; but "/proc/self/fd/N" and
/// "/dev/fd/N" are understood as the caller's own descriptors.
[[nodiscard]] Descriptor find(const Caller& caller, const Place& place);

/// A path that leads to the held file whatever happens to its name.
[[nodiscard]] std::string link_to(const Descriptor& held);

/// The path of the held file, links resolved; empty when it has none.
[[nodiscard]] std::string real_path(const Descriptor& held);

[[nodiscard]] bool lies_below(std::string_view path, std::string_view directory) noexcept;

/// The agent may write it: a writable directory or something below, a named entry of a state directory, or a file
/// without a place (a pipe, a memfd).
[[nodiscard]] bool may_change(std::string_view real_path, const Options& options);

}  // namespace agentrun::landlock
