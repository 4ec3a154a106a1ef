#pragma once
// What codex is started with. Measured with codex 0.171.0; the same options exist since 0.159.2.

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "agentrun/result.hpp"
#include "agentrun/runtime.hpp"

namespace agentrun::codex {

/// Refuses an effort or a session id that is none.
[[nodiscard]] Result<void> check_arguments(const RunArguments& arguments);

/// The first of the caller's arguments that puts another sandbox in place of the one that agentrun records. It may: the
/// caller answers for it, and the run says so.
[[nodiscard]] std::optional<std::string> sandbox_override(const std::vector<std::string>& extra);

struct CommandLine {
  std::vector<std::string> arguments;
  /// Where the options of the sandbox belong: codex before 0.160 drops options in front of "exec" when there are some
  /// behind it.
  std::size_t sandbox_at = 0;
};

[[nodiscard]] CommandLine command_line(const LaunchContext& context);

}  // namespace agentrun::codex
