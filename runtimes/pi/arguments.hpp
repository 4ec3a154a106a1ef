#pragma once
// What pi is started with. Measured with pi 1.6.0; the same options exist since 1.0.1.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "agentrun/result.hpp"
#include "agentrun/runtime.hpp"

namespace agentrun::pi {

/// Refuses a model that is not "provider/model": pi would search all providers for something that looks like it.
[[nodiscard]] Result<void> check_arguments(const RunArguments& arguments);

/// `model` without a thinking level that pi understands behind its last ':' ("p/m:high" is "p/m"; "p/m:free" stays).
[[nodiscard]] std::string_view without_thinking_level(std::string_view model) noexcept;

/// False when pi or the kernel would not take the prompt as one argument unchanged.
[[nodiscard]] bool fits_an_argument(std::string_view prompt) noexcept;

/// That keep the user's own additions out.
[[nodiscard]] std::vector<std::string> plain_options();

struct CommandLine {
  std::vector<std::string> arguments;
  std::optional<std::size_t> prompt_argument;
  std::string standard_input;
};

[[nodiscard]] CommandLine command_line(const LaunchContext& context);

/// Where pi keeps a session that is to be saved; nothing for one that is not.
[[nodiscard]] std::optional<SessionRecord> session_record(const LaunchContext& context);

}  // namespace agentrun::pi
