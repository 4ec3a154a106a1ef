#pragma once
// The standard streams as the application uses them.

#include <string_view>

#include "agentrun/result.hpp"

namespace agentrun::cli {

class Console {
 public:
  virtual ~Console() = default;

  /// To standard output. Fails when nobody can get the text; a reader that has gone away (`| head`) is no failure.
  [[nodiscard]] virtual Result<void> print(std::string_view text) = 0;
  /// To standard error.
  virtual void complain(std::string_view text) = 0;
  [[nodiscard]] virtual bool output_is_terminal() const = 0;
};

}  // namespace agentrun::cli
