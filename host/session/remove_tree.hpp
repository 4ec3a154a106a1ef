#pragma once
// Removing what an agent left, whatever it left.

#include "agentrun/result.hpp"
#include "system/file.hpp"

namespace agentrun::host {

/// Opens the directory `name` directly below `parent`. Never a link, and no other filesystem mounted there: a closed
/// handle, with errno set. Implemented for each platform.
[[nodiscard]] Descriptor open_subdirectory(int parent, const char* name);

/// Removes everything below an open directory, which stays. Links are removed, not followed; directories without
/// permissions are opened up; depth costs memory, not stack or descriptors; mounts are left alone. Goes on after a
/// failure and returns the first one, which names the entry.
[[nodiscard]] Result<void> clear_directory(int directory);

}  // namespace agentrun::host
