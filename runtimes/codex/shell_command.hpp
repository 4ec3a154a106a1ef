#pragma once
// What a command is about, as the agent wrote it.

#include <string>
#include <string_view>

namespace agentrun::codex {

/// codex shows a command as it starts it: "/bin/bash -c 'make test'". The first line of the script between the quotes,
/// or of the whole command when it is not of that form. Long ones are cut: a summary shows only their beginning.
[[nodiscard]] std::string first_script_line(std::string_view command);

}  // namespace agentrun::codex
