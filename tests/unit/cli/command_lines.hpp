#pragma once
// Parsing command lines in tests.

#include <gtest/gtest.h>

#include <string>
#include <variant>
#include <vector>

#include "cli/command_line.hpp"

namespace agentrun::cli {

struct FixedCatalog final : RuntimeCatalog {
  std::vector<std::string> names = {"claude-code", "codex", "demo", "dsh", "echo", "pi"};

  [[nodiscard]] std::vector<std::string> runtimes() const override { return names; }
  [[nodiscard]] std::vector<std::filesystem::path> directories() const override { return {"/plugins/a", "/plugins/b"}; }
};

inline Result<Command> parse(const std::vector<std::string>& words) {
  return parse_command_line(words, FixedCatalog{}, OutputFormat::jsonl);
}

/// The command that `words` give; a failure of the test and an empty one when they give another.
template <class Kind>
Kind parsed(const std::vector<std::string>& words) {
  auto command = parse(words);
  if (!command) {
    ADD_FAILURE() << describe(command.error());
    return {};
  }
  if (Kind* kind = std::get_if<Kind>(&*command)) return *kind;
  ADD_FAILURE() << "another kind of command";
  return {};
}

/// Cause and remedy; empty when `words` are fine.
inline std::string refusal(const std::vector<std::string>& words) {
  const auto command = parse(words);
  return command ? std::string() : describe(command.error());
}

}  // namespace agentrun::cli
