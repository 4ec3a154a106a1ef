#pragma once

namespace agentrun::cli {

/// Opens /dev/null on those of the descriptors 0, 1 and 2 that are closed. Else the next file that is opened gets the
/// number, and what is meant for standard output or error is written into it.
void open_missing_standard_descriptors() noexcept;

}  // namespace agentrun::cli
