#pragma once
// What namespaces leave open: other kinds of sockets, io_uring, ptrace, keyrings, pushing keys into a terminal.

#include <string_view>

#include "bubblewrap/namespaces.hpp"

namespace agentrun::bwrap {

/// As `bwrap --seccomp` takes it; empty where bwrap cannot run anyway. Lives as long as the program.
[[nodiscard]] std::string_view system_call_filter(Loopback loopback) noexcept;

}  // namespace agentrun::bwrap
