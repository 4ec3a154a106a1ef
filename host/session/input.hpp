#pragma once
// Reading what the user named: bounded in size, and never stuck on a pipe that nobody writes to.

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>

#include "agentrun/result.hpp"

namespace agentrun::host {

struct InputLimits {
  std::size_t bytes = 0;
  /// How long a pipe (a FIFO; `<(command)` gives one too) waits for somebody to open it for writing.
  std::chrono::milliseconds missing_writer{5000};
  /// How long it waits for the next byte of a writer; absent: as long as it takes.
  std::optional<std::chrono::milliseconds> silent_writer;
};

/// `label` begins every message: "--env-file FILE". Regular files, pipes and character devices that are no terminal.
/// ErrorCode::not_found, io, usage (too large), interrupted (`wake` became readable; -1: never).
[[nodiscard]] Result<std::string> read_input_file(const std::filesystem::path& file, const std::string& label,
                                                  const InputLimits& limits, int wake);

/// To its end, waiting as long as it takes. The descriptor may be blocking; its flags are not touched.
[[nodiscard]] Result<std::string> read_input(int descriptor, const std::string& label, std::size_t byte_limit,
                                             int wake);

}  // namespace agentrun::host
