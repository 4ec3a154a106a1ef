#pragma once

#include "cli/console.hpp"

namespace agentrun::cli {

/// Descriptors 1 and 2, unbuffered.
class ProcessConsole final : public Console {
 public:
  [[nodiscard]] Result<void> print(std::string_view text) override;
  void complain(std::string_view text) override;
  [[nodiscard]] bool output_is_terminal() const override;
};

}  // namespace agentrun::cli
