#pragma once
// What plugins may do on this machine before a run: look for a tool, run a short command.

#include <chrono>
#include <filesystem>
#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "agentrun/environment.hpp"

namespace agentrun {

/// A short command.
struct CheckCommand {
  // Implicit: most commands are their arguments.
  CheckCommand(std::vector<std::string> arguments) : argv(std::move(arguments)) {}  // NOLINT(*explicit*)
  CheckCommand(std::initializer_list<std::string> arguments) : argv(arguments) {}   // NOLINT(*explicit*)

  std::vector<std::string> argv;    ///< the first one is an absolute path
  std::vector<Variable> variables;  ///< set beside the session's environment
  std::filesystem::path cwd = "/";
  /// Asked for each whole line of standard output: true ends the command.
  std::function<bool(std::string_view line)> enough;
};

/// What it did.
struct CheckRun {
  std::optional<int> exit_code;  ///< absent when it did not start, was killed or ran out of time
  std::string output;            ///< the first 64 KiB of standard output
  std::string error;             ///< the first 64 KiB of standard error, or why it could not be started
  bool timed_out = false;
  std::chrono::milliseconds duration{};
};

/// The only way a plugin touches the machine. Implemented by the host, which keeps a time for all commands of a check
/// together (5 s before a run) and ends the command when a signal comes.
class CheckServices {
 public:
  /// First executable of that name in the session PATH, without entries inside a path that the agent may write: a
  /// planted program would run outside the sandbox.
  [[nodiscard]] virtual std::optional<std::filesystem::path> find_tool(std::string_view name) const = 0;
  [[nodiscard]] virtual CheckRun run(const CheckCommand& command) = 0;
  /// The effective user is root.
  [[nodiscard]] virtual bool root() const noexcept = 0;

 protected:
  ~CheckServices() = default;
};

}  // namespace agentrun
