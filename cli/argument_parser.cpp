#include "cli/argument_parser.hpp"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <optional>
#include <utility>

#include "agentrun/text.hpp"
#include "cli/suggestion.hpp"

namespace agentrun::cli {

namespace {

constexpr std::size_t help_column = 28;
constexpr std::size_t longest_shown_name = 40;

class HelpLayout final : public CLI::Formatter {
 public:
  explicit HelpLayout(std::string usage) : usage_(std::move(usage)) { column_width(help_column); }

  [[nodiscard]] std::string make_usage(const CLI::App* /*app*/, std::string /*name*/) const override {
    return "\nUsage: " + usage_ + '\n';
  }

  /// CLI11 leaves two blank lines between groups.
  [[nodiscard]] std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override {
    return CLI::detail::find_and_replace(CLI::Formatter::make_help(app, std::move(name), mode), "\n\n\n", "\n\n");
  }

 private:
  std::string usage_;
};

/// "--name" of "--name=value", and of "--name value" in one word.
std::string_view name_in(std::string_view word) {
  const auto end = std::find_if(word.begin(), word.end(), [](char letter) {
    return letter != '-' && letter != '_' && !(letter >= 'a' && letter <= 'z') && !(letter >= 'A' && letter <= 'Z') &&
           !(letter >= '0' && letter <= '9');
  });
  return word.substr(0, static_cast<std::size_t>(end - word.begin()));
}

}  // namespace

struct ArgumentParser::Table {
  explicit Table(ParserText parser_text) : text(std::move(parser_text)), app(text.about) {
    app.set_help_flag();
    app.formatter(std::make_shared<HelpLayout>(text.usage));
    app.footer(text.epilogue);
    app.allow_windows_style_options(false);
  }

  [[nodiscard]] bool takes_value(const CLI::Option& option) const { return option.get_items_expected_max() > 0; }

  [[nodiscard]] tl::unexpected<Error> unknown(std::string_view name) const {
    std::vector<std::string> known;
    for (const CLI::Option* option : app.get_options()) known.push_back(option->get_name());
    const auto meant = suggestion(name, known);
    // Behind a single dash there may be a value, even a prompt: "-pFix it".
    const bool bundled = !meant && !name.starts_with("--");
    return failure(ErrorCode::usage,
                   "unknown option '" + summary_line(bundled ? name.substr(0, 2) : name, longest_shown_name) + '\'',
                   meant ? "Did you mean '" + *meant + "'?" : "--help lists the options");
  }

  /// Brings the words into the one form that CLI11 takes literally: the name, then its value as a word of its own.
  /// Left to itself it reads `--model= --effort high` as a model called "--effort", takes `--debug=false`, and bundles
  /// "-model" into single letters.
  Result<Outcome> normalize(const std::vector<std::string>& words, std::vector<std::string>& normal) const {
    for (std::size_t index = 0; index < words.size(); ++index) {
      const std::string& word = words[index];
      if (word == "--help" || word == "-h") return Outcome::help_wanted;
      if (set_word && !word.empty() && !word.starts_with('-')) {
        if (auto set = set_word("argument " + std::to_string(index + 1), word); !set)
          return tl::unexpected(set.error());
        continue;
      }
      if (!word.starts_with('-') || word == "-") {
        return failure(ErrorCode::usage, "argument " + std::to_string(index + 1) + " is not an option",
                       text.positional);
      }
      const std::string_view name = name_in(word);
      const CLI::Option* option = name.starts_with("--") ? app.get_option_no_throw(std::string(name)) : nullptr;
      if (option == nullptr) return unknown(name);

      normal.emplace_back(name);
      const bool attached = word.size() > name.size();
      if (attached && word[name.size()] != '=') {
        return failure(ErrorCode::usage, "something other than a value is attached to " + std::string(name),
                       "Write " + std::string(name) + " VALUE as two words, or " + std::string(name) + "=VALUE");
      }
      if (!takes_value(*option)) {
        if (attached) return failure(ErrorCode::usage, std::string(name) + " takes no value", "Leave out the '='");
      } else if (attached) {
        normal.push_back(word.substr(name.size() + 1));
      } else {
        if (auto value = value_behind(words, index, name)) {
          normal.push_back(std::move(*value));
        } else {
          return tl::unexpected<Error>(std::move(value.error()));
        }
        ++index;
      }
    }
    return Outcome::parsed;
  }

  [[nodiscard]] Result<std::string> value_behind(const std::vector<std::string>& words, std::size_t index,
                                                 std::string_view name) const {
    if (index + 1 == words.size()) {
      return failure(ErrorCode::usage, std::string(name) + " needs a value",
                     "Write " + std::string(name) + ' ' + placeholder(name));
    }
    const std::string& next = words[index + 1];
    if (next.starts_with("--") && app.get_option_no_throw(std::string(name_in(next))) != nullptr) {
      return failure(ErrorCode::usage,
                     std::string(name) + " needs a value, but " + std::string(name_in(next)) + " follows",
                     "Write " + std::string(name) + "=VALUE if that is the value");
    }
    return next;
  }

  [[nodiscard]] std::string placeholder(std::string_view name) const {
    return app.get_option(std::string(name))->get_option_text();
  }

  ParserText text;
  CLI::App app;
  std::string title;
  Setter set_word;             ///< null: every word must be an option
  std::optional<Error> error;  ///< the first that a setter gave
};

ArgumentParser::ArgumentParser(ParserText text) : table_(std::make_unique<Table>(std::move(text))) {}
ArgumentParser::~ArgumentParser() = default;

void ArgumentParser::group(std::string title) { table_->title = std::move(title); }

void ArgumentParser::flag(const std::string& name, const std::string& help, std::function<void()> set) {
  const auto called = [set = std::move(set)](const CLI::results_t& /*values*/) {
    set();
    return true;
  };
  table_->app.add_option(name, called, help)
      ->type_size(0)
      ->expected(0)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast)
      ->group(table_->title);
}

void ArgumentParser::option(const std::string& name, const std::string& placeholder, const std::string& help,
                            Setter set) {
  const auto called = [table = table_.get(), name, set = std::move(set)](const CLI::results_t& values) {
    for (const std::string& value : values) {
      if (auto done = set(name, value); !done && !table->error) table->error = std::move(done.error());
    }
    return true;
  };
  table_->app.add_option(name, called, help)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->option_text(placeholder)
      ->group(table_->title);
}

void ArgumentParser::words(Setter set) { table_->set_word = std::move(set); }

Result<ArgumentParser::Outcome> ArgumentParser::parse(const std::vector<std::string>& words) {
  std::vector<std::string> normal;
  auto outcome = table_->normalize(words, normal);
  if (!outcome || *outcome == Outcome::help_wanted) return outcome;
  std::reverse(normal.begin(), normal.end());  // CLI11 takes them from the back
  try {
    table_->app.parse(std::move(normal));
  } catch (const CLI::Error& error) {
    // Its text may quote a value, which may be a prompt.
    return failure(ErrorCode::usage, "the options cannot be parsed (" + error.get_name() + ')',
                   "--help lists the options");
  }
  if (table_->error) return tl::unexpected<Error>(*table_->error);
  return Outcome::parsed;
}

std::string ArgumentParser::help() const { return table_->app.help(); }

}  // namespace agentrun::cli
