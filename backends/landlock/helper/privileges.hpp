#pragma once
// What a process gives up for good.

namespace agentrun::landlock {

/// Joins a new, empty session keyring: the caller's stays behind. Nothing where keyrings are refused anyway.
void leave_keyring() noexcept;

/// All capabilities, the bounding set too, so that root is a user like any other.
void drop_capabilities();

/// Set-user-id programs give nothing any more.
void set_no_new_privileges();

}  // namespace agentrun::landlock
