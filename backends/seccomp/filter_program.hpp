#pragma once
// System call filters (seccomp, BPF) as data. generate.cpp makes them with libseccomp while building.

#include <string_view>

namespace agentrun::seccomp {

/// All of them refuse what denied_calls.hpp lists, calls of other architectures (x32, i386) and calls that are newer
/// than the filter (ENOSYS: programs fall back).
enum class FilterKind {
  /// Nothing more: the network is the host's and open.
  open_network,
  /// For a network namespace of the sandbox's own: sockets AF_UNIX, AF_INET, AF_INET6 and NETLINK_ROUTE.
  own_network,
  /// For the host's network, behind a supervisor: of sockets, AF_UNIX streams and TCP over IPv4. Making the latter and
  /// every connect() is asked of the supervisor (SECCOMP_RET_USER_NOTIF), and so is every change of a file's mode,
  /// owner, times or attributes. System V memory and POSIX queues are refused: they have no namespace there.
  supervised,
  /// The same, and making and removing directories is asked too.
  supervised_with_locks,
};

/// An array of struct sock_filter (linux/filter.h) in the byte order of the target, as SECCOMP_SET_MODE_FILTER and
/// `bwrap --seccomp` take it. Lives as long as the program.
[[nodiscard]] std::string_view filter_program(FilterKind kind) noexcept;

}  // namespace agentrun::seccomp
