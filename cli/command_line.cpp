#include "cli/command_line.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "cli/argument_parser.hpp"
#include "cli/doctor_options.hpp"
#include "cli/exec_options.hpp"
#include "cli/explain_options.hpp"
#include "cli/help.hpp"
#include "cli/option_values.hpp"
#include "cli/printable.hpp"
#include "cli/run_options.hpp"
#include "cli/suggestion.hpp"

namespace agentrun::cli {

namespace {

using Words = std::vector<std::string>;

constexpr std::array<std::string_view, 5> reserved_names = {"exec", "doctor", "plugins", "explain", "batch"};

/// The words behind the sub-command, cut at the first "--".
struct Cut {
  Words options;
  std::optional<Words> behind;
};

Cut cut_at_dashes(const Words& words) {
  const auto begin = words.begin() + 1;
  const auto dashes = std::find(begin, words.end(), "--");
  Cut cut{Words(begin, dashes), std::nullopt};
  if (dashes != words.end()) cut.behind = Words(dashes + 1, words.end());
  return cut;
}

Words startable_runtimes(const RuntimeCatalog& catalog) {
  Words names = catalog.runtimes();
  names.erase(std::remove_if(names.begin(), names.end(), [](const auto& name) { return is_reserved(name); }),
              names.end());
  return names;
}

std::string joined(const Words& words) {
  std::string text;
  for (const std::string& word : words) (text += text.empty() ? "" : ", ") += word;
  return text;
}

tl::unexpected<Error> unknown_sub_command(const std::string& word, const Words& runtimes,
                                          const RuntimeCatalog& catalog) {
  Words known = runtimes;
  known.insert(known.end(), {"exec", "doctor", "explain", "plugins"});
  const std::string existing = "Sub-commands: " + joined(known);
  const auto meant = suggestion(word, known);
  const std::string hint = meant ? "Did you mean '" + *meant + "'? " + existing : existing;
  if (!is_plugin_name(word) || is_reserved(word)) {
    // Not repeated when it cannot be a name: the word may be a prompt.
    const std::string quote = is_reserved(word) ? " '" + word + '\'' : "";
    return failure(ErrorCode::usage, "unknown sub-command" + quote, hint);
  }
  Words places;
  for (const auto& directory : catalog.directories()) places.push_back(printable_line(directory.string()));
  return failure(ErrorCode::not_found,
                 "unknown sub-command: no runtime plugin '" + word + "' (looked in: " + joined(places) + ')', hint);
}

Result<Command> parse_plugins(const Cut& cut) {
  PluginsCommand command;
  ParserText text{
      .usage = "agentrun plugins [--json]",
      .about = "Lists the runtimes and backends that were found, where, and whether they can be used.",
      .epilogue =
          "No code of a plugin runs for this. Directories are searched in the order of AGENTRUN_PLUGIN_PATH,\n"
          "your data directory, the one beside agentrun, the one of the installation: the first hit counts.",
      .positional = "plugins takes no names: it lists all"};
  if (cut.behind) return failure(ErrorCode::usage, "plugins takes no --", text.positional);
  ArgumentParser parser(std::move(text));
  parser.group("Options");
  parser.flag("--json", "print one JSON array", [&command] { command.json = true; });
  parser.flag("-h,--help", "print this and exit", [] {});
  const auto outcome = parser.parse(cut.options);
  if (!outcome) return tl::unexpected<Error>(outcome.error());
  if (*outcome == ArgumentParser::Outcome::help_wanted) return ShowText{parser.help()};
  return command;
}

}  // namespace

bool is_reserved(std::string_view name) noexcept {
  return std::find(reserved_names.begin(), reserved_names.end(), name) != reserved_names.end();
}

Result<Command> parse_command_line(const Words& words, const RuntimeCatalog& catalog, OutputFormat usual) {
  if (words.empty()) {
    return failure(ErrorCode::usage, "no sub-command given",
                   "Name a runtime, exec, doctor, explain or plugins; agentrun --help lists them");
  }
  const std::string& first = words.front();
  if (first == "--help" || first == "-h") return ShowText{top_level_help(startable_runtimes(catalog))};
  if (first == "--version") return ShowText{version_line()};
  if (first.starts_with('-')) {
    if (const auto meant = suggestion(first, {"--help", "--version"})) {
      return failure(ErrorCode::usage, "unknown option in front of a sub-command", "Did you mean '" + *meant + "'?");
    }
    return failure(ErrorCode::usage, "an option stands in front of the sub-command",
                   "Options come behind it: agentrun RUNTIME --option…; agentrun --help lists the sub-commands");
  }
  Cut cut = cut_at_dashes(words);
  if (first == "exec") return parse_exec(cut.options, std::move(cut.behind));
  if (first == "explain") {
    if (cut.behind) {
      return failure(ErrorCode::usage, "explain takes no --",
                     "Say what is done: read PATH, write PATH or connect HOST:PORT");
    }
    return parse_explain(cut.options);
  }
  if (first == "plugins") return parse_plugins(cut);
  const Words runtimes = startable_runtimes(catalog);
  if (first == "doctor") {
    if (cut.behind) {
      return failure(ErrorCode::usage, "doctor takes no --", "Name the runtimes to check, or none for all");
    }
    return parse_doctor(cut.options, runtimes, catalog.directories());
  }
  if (std::find(runtimes.begin(), runtimes.end(), first) == runtimes.end()) {
    return unknown_sub_command(first, runtimes, catalog);
  }
  return parse_run(first, cut.options, std::move(cut.behind).value_or(Words{}), usual);
}

}  // namespace agentrun::cli
