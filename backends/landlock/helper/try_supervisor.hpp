#pragma once
// What the backend's check runs inside in place of a command.

namespace agentrun::landlock {

/// Makes a socket and connects it to an address that no plan allows: 0 when the supervisor answers as it should.
/// Prints why not to standard error.
[[nodiscard]] int try_supervisor();

}  // namespace agentrun::landlock
