#pragma once
// The format of --env-file: KEY=VALUE a line, no expansion, no multi-line values.

#include <string_view>
#include <vector>

#include "agentrun/environment.hpp"
#include "agentrun/result.hpp"

namespace agentrun {

/// '#' lines and blank lines are left out, a trailing '\r' is dropped, "export " is allowed in front, one pair of
/// matching quotes around the value is removed and nothing inside is unescaped; an unquoted '#' is part of the value.
/// A bad line is refused as "FILE:LINE: reason", never with the line's content: it may hold a secret.
[[nodiscard]] Result<std::vector<Variable>> parse_env_file(std::string_view content, std::string_view file_name);

}  // namespace agentrun
