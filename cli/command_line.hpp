#pragma once
// From the words of a command line to a Command.

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "agentrun/result.hpp"
#include "cli/command.hpp"
#include "cli/output_format.hpp"

namespace agentrun::cli {

/// Which runtimes there are. Asked only when a command line names one, since the answer reads directories.
class RuntimeCatalog {
 public:
  virtual ~RuntimeCatalog() = default;

  /// Sorted.
  [[nodiscard]] virtual std::vector<std::string> runtimes() const = 0;
  /// Where they were looked for.
  [[nodiscard]] virtual std::vector<std::filesystem::path> directories() const = 0;
};

/// Names that are or will be sub-commands of agentrun itself: no runtime can be started under one of them.
[[nodiscard]] bool is_reserved(std::string_view name) noexcept;

/// `words` without the program's name; `usual` is the format where --format is not given. Nothing is printed, opened
/// or looked up but the catalog. Every error is ErrorCode::usage or ErrorCode::not_found and never holds a prompt or
/// the value of a variable.
[[nodiscard]] Result<Command> parse_command_line(const std::vector<std::string>& words, const RuntimeCatalog& catalog,
                                                 OutputFormat usual);

}  // namespace agentrun::cli
