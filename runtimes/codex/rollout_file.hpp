#pragma once
// Finding and reading a rollout in codex's private home. Without a sandbox the agent can write there, so no link is
// followed (it would have agentrun read, and show a part of, a file of the agent's choice) and everything is bounded.

#include <filesystem>
#include <functional>
#include <string_view>

namespace agentrun::codex {

/// Calls `line` for each complete line of HOME/sessions/**/rollout-*THREAD.jsonl, with Translator::line_padding
/// readable bytes behind it. Lines over 16 MiB are left out, and what is behind the first 256 MiB. Nothing happens
/// when there is no such file.
void read_rollout(const std::filesystem::path& home, std::string_view thread,
                  const std::function<void(std::string_view)>& line);

}  // namespace agentrun::codex
