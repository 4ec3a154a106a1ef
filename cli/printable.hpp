#pragma once
// Text from agents, files and arguments, made safe for one line of a terminal.

#include <string>
#include <string_view>

namespace agentrun::cli {

/// Valid UTF-8 on one line: what is not UTF-8 becomes U+FFFD, and each control character a space. Control characters
/// are C0, DEL and C1 (with them an agent could rewrite the screen, set the title or type into the terminal's input),
/// the line and paragraph separators, and the bidirectional embeddings, overrides and isolates (they show a command
/// in another order than it runs: CVE-2021-42574).
[[nodiscard]] std::string printable_line(std::string_view text);

/// The first line that is not blank, printable.
[[nodiscard]] std::string printable_first_line(std::string_view text);

}  // namespace agentrun::cli
