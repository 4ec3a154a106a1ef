#pragma once
// Copying the files of a session's record. They come from places that the agent could write: nothing is followed, and
// nothing but regular files is taken.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "agentrun/result.hpp"

namespace agentrun::host {

struct RecordLimits {
  std::uint64_t bytes = std::uint64_t{1} << 30;
  std::size_t files = 100'000;
  std::size_t depth = 32;  ///< of directories in one another
};

/// Copies what lies directly below `from` under the names `entries` (all of it when there are none) to the existing
/// directory `to`, with everything below it. Modes 0700 and 0600, times kept. A file that exists there is replaced.
/// Links, sockets, devices, pipes and other filesystems are left out; so is an entry that does not exist. Returns how
/// many files were copied. Refused above a limit.
[[nodiscard]] Result<std::size_t> copy_record(const std::filesystem::path& from,
                                              const std::vector<std::string>& entries, const std::filesystem::path& to,
                                              const RecordLimits& limits = {});

}  // namespace agentrun::host
