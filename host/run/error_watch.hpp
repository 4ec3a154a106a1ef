#pragma once
// What is kept of a process's standard error: its last characters, and the line by which a wrapper says that it could
// not start.

#include <optional>
#include <string>
#include <string_view>

#include "agentrun/backend.hpp"

namespace agentrun::host {

class ErrorWatch {
 public:
  explicit ErrorWatch(StartFailureRule rule) : rule_(std::move(rule)) {}

  void feed(std::string_view bytes);

  /// The last 500 characters, without white space at the end.
  [[nodiscard]] std::string tail() const;

  /// The wrapper's own reason, without its prefix. `exit_code` as the spawned process gave it.
  [[nodiscard]] std::optional<std::string> start_failure(std::optional<int> exit_code) const;

 private:
  void end_line();

  static constexpr std::size_t tail_characters = 500;
  static constexpr std::size_t tail_bytes = 4 * tail_characters;  // UTF-8
  static constexpr std::size_t line_bytes = 1024;

  StartFailureRule rule_;
  std::string tail_;
  std::string line_;
  std::optional<std::string> reason_;
};

}  // namespace agentrun::host
