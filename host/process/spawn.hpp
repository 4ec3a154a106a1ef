#pragma once
// Starting a process with nothing inherited but what is asked for.

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

#include "agentrun/result.hpp"

namespace agentrun::host {

enum class ProcessGroup {
  session,     ///< a session of its own: no controlling terminal to inject keys into
  foreground,  ///< a group of its own in this session, in the foreground of the terminal on standard input
};

/// A descriptor that the process gets besides its streams, under a number above 2.
struct ExtraDescriptor {
  int number = -1;
  int source = -1;
};

/// The three descriptors become 0, 1 and 2, the extra ones their numbers; every other one is closed. Signals are
/// unblocked and at their defaults.
struct SpawnRequest {
  std::vector<std::string> argv;  ///< the first one is an absolute path
  std::vector<std::string> environment;
  std::filesystem::path cwd;
  int standard_input = 0;
  int standard_output = 1;
  int standard_error = 2;
  std::vector<ExtraDescriptor> extra;  ///< numbers in ascending order from 3, without gaps
  ProcessGroup group = ProcessGroup::session;
};

/// The leader of its own group. Must be called from the main thread: a wrapper that dies with its parent dies with
/// the thread that made it.
/// Errors: not_found (no such program), unavailable (not executable, or a command line that is too long), io.
[[nodiscard]] Result<pid_t> spawn(const SpawnRequest& request);

}  // namespace agentrun::host
