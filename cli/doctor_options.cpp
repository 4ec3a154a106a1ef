#include "cli/doctor_options.hpp"

#include <algorithm>

#include "cli/argument_parser.hpp"
#include "cli/option_values.hpp"
#include "cli/printable.hpp"
#include "cli/session_options.hpp"
#include "cli/suggestion.hpp"

namespace agentrun::cli {

namespace {

ParserText doctor_text() {
  return {.usage = "agentrun doctor [RUNTIME…] [options]",
          .about =
              "Checks what a run would meet here: the agents' programs and logins, the sandbox, the network.\n"
              "Without a RUNTIME it checks all.",
          .epilogue =
              "The login check of pi starts it once, which asks its model service for the beginning of an\n"
              "answer.\n"
              "\n"
              "Exit codes: 0 nothing failed, 1 a check failed, 2 refused, 130 SIGINT, 143 SIGTERM,\n"
              "129 SIGHUP, 131 SIGQUIT.\n"
              "\n"
              "Examples:\n"
              "  agentrun doctor\n"
              "  agentrun doctor pi --model provider/model --network custom --allow-host files.example.com",
          .positional = {}};
}

Setter append_runtime(std::vector<std::string>& target, const std::vector<std::string>& known,
                      const std::vector<std::filesystem::path>& directories) {
  return [&target, &known, &directories](std::string_view place, const std::string& name) -> Result<void> {
    if (std::find(known.begin(), known.end(), name) != known.end()) {
      target.push_back(name);
      return {};
    }
    // Not repeated when it cannot be a name: it may be a value that lost its option.
    if (!is_plugin_name(name)) {
      return failure(ErrorCode::usage, std::string(place) + " is not the name of a runtime",
                     "agentrun --help lists the runtimes");
    }
    std::string places;
    for (const auto& directory : directories) {
      (places += places.empty() ? "" : ", ") += printable_line(directory.string());
    }
    const auto meant = suggestion(name, known);
    return failure(ErrorCode::not_found, "no runtime plugin '" + name + "' (looked in: " + places + ')',
                   meant ? "Did you mean '" + *meant + "'?" : "agentrun --help lists the runtimes");
  };
}

}  // namespace

Result<Command> parse_doctor(const std::vector<std::string>& words, const std::vector<std::string>& runtimes,
                             const std::vector<std::filesystem::path>& directories) {
  DoctorCommand command;
  ArgumentParser parser(doctor_text());
  parser.words(append_runtime(command.options.runtimes, runtimes, directories));
  parser.group("Agent");
  parser.option("--model", "ID", "the model that a run would ask for (default: the\nruntime's)",
                store(command.options.model));
  declare_confinement_options(parser, command.options.session);
  parser.group("Output");
  parser.flag("--json", "print one JSON array of {runtime, check, status, detail}",
              [&command] { command.json = true; });
  parser.flag("--debug", "print facts about each sandbox on standard error",
              [&command] { command.options.session.debug = true; });
  parser.flag("-h,--help", "print this and exit", [] {});

  const auto outcome = parser.parse(words);
  if (!outcome) return tl::unexpected<Error>(outcome.error());
  if (*outcome == ArgumentParser::Outcome::help_wanted) return ShowText{parser.help()};
  if (auto valid = check_session_options(command.options.session); !valid) {
    return tl::unexpected<Error>(valid.error());
  }
  command.options.every_runtime = command.options.runtimes.empty();
  if (command.options.every_runtime) command.options.runtimes = runtimes;
  return command;
}

}  // namespace agentrun::cli
