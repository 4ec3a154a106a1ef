#pragma once
// The text of codex's apply_patch tool.

#include <string>
#include <string_view>

namespace agentrun::codex {

/// The files that a patch adds, updates, deletes or moves to, as it names them, joined by ", ". Long lists are cut.
[[nodiscard]] std::string patched_files(std::string_view patch);

/// Adds `path` to a list as above. False once the list is long enough for a summary.
bool append_path(std::string& list, std::string_view path);

}  // namespace agentrun::codex
