#pragma once

#include <string>

#include "cli/console.hpp"

namespace agentrun::cli {

/// Keeps what is printed.
struct FakeConsole final : Console {
  std::string output;
  std::string errors;
  bool terminal = false;
  bool full = false;  ///< standard output takes nothing

  [[nodiscard]] Result<void> print(std::string_view text) override {
    if (full) return failure(ErrorCode::io, "cannot write to standard output: No space left on device");
    output += text;
    return {};
  }
  void complain(std::string_view text) override { errors += text; }
  [[nodiscard]] bool output_is_terminal() const override { return terminal; }
};

}  // namespace agentrun::cli
