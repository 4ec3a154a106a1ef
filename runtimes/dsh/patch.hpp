#pragma once
// What a run changes in dsh's composition of plugins: a file for its option --patch. Rows are found by their ids; a
// row's config is replaced whole, and a row that a version of dsh does not have is skipped by it.

#include <filesystem>
#include <optional>
#include <string>

namespace agentrun::dsh {

struct Patch {
  std::filesystem::path runner;  ///< the module that takes the place of dsh's own headless runner
  std::string session;           ///< the id of the new session, or of the one to go on with
  bool resume = false;
  bool subagents = true;
  std::optional<std::string> model;
  std::optional<std::string> effort;
};

/// JSON, which dsh reads as the YAML that it is, too.
[[nodiscard]] std::string patch_text(const Patch& patch);

}  // namespace agentrun::dsh
