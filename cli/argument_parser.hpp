#pragma once
// The options of one sub-command: declared once, used for parsing and for --help. A thin, strict layer over CLI11,
// which is slow to compile and so is included by argument_parser.cpp alone.

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "agentrun/result.hpp"

namespace agentrun::cli {

/// Takes one value of an option ("--timeout", "30") and refuses what it cannot be.
using Setter = std::function<Result<void>(std::string_view option, const std::string& value)>;

/// Words before "--" of one sub-command.
struct ParserText {
  std::string usage;       ///< behind "Usage: "
  std::string about;       ///< one paragraph
  std::string epilogue;    ///< behind the options: notes and examples
  std::string positional;  ///< the remedy when a word is no option and the sub-command takes none
};

class ArgumentParser {
 public:
  explicit ArgumentParser(ParserText text);
  ~ArgumentParser();
  ArgumentParser(const ArgumentParser&) = delete;
  ArgumentParser& operator=(const ArgumentParser&) = delete;

  /// What is declared from here on stands under this title in the help.
  void group(std::string title);
  /// `name` with its dashes ("-h,--help" for two). A flag that is repeated counts once.
  void flag(const std::string& name, const std::string& help, std::function<void()> set);
  /// The setter runs for each value, in order. One that assigns lets the last win; one that appends makes a list.
  void option(const std::string& name, const std::string& placeholder, const std::string& help, Setter set);
  /// Takes the words that are no options, in order; the usage line tells of them. Refused without one.
  void words(Setter set);

  enum class Outcome { parsed, help_wanted };

  /// `--name value` and `--name=value` both work; a value may be empty or start with '-', but not be the name of
  /// another option (write `--name=value` then): a forgotten value is more likely. --help and -h win over errors
  /// behind them. Names are never abbreviated. Errors name the option, never the value or a stray word: those may be
  /// a prompt or a secret.
  [[nodiscard]] Result<Outcome> parse(const std::vector<std::string>& words);

  [[nodiscard]] std::string help() const;

 private:
  struct Table;
  std::unique_ptr<Table> table_;
};

}  // namespace agentrun::cli
