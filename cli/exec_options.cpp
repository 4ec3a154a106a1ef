#include "cli/exec_options.hpp"

#include <utility>

#include "cli/argument_parser.hpp"
#include "cli/option_values.hpp"
#include "cli/session_options.hpp"

namespace agentrun::cli {

namespace {

constexpr const char* command_place = "Put the command behind --: agentrun exec [options] -- COMMAND [ARGS…]";

ParserText exec_text() {
  return {.usage = "agentrun exec [options] -- COMMAND [ARGS…]",
          .about = "Runs a command in the sandbox. Its standard streams and its terminal are your own.",
          .epilogue =
              "An option that is not called repeatable counts once: the last one wins.\n"
              "\n"
              "Exit codes: the command's own, 128 + n when signal n killed it, 124 after --timeout,\n"
              "125 agentrun refused or failed, 126 the command cannot be executed, 127 it is not found.\n"
              "\n"
              "Examples:\n"
              "  agentrun exec -- make test\n"
              "  agentrun exec --network custom --allow-host registry.example.com -- npm install",
          .positional = command_place};
}

}  // namespace

Result<Command> parse_exec(const std::vector<std::string>& words, std::optional<std::vector<std::string>> command) {
  ExecCommand exec;
  ArgumentParser parser(exec_text());
  declare_session_options(parser, exec.options.session);
  parser.option("--events", "FILE|fd:N", "write the start, network and end events there, as JSON\nlines",
                store(exec.options.events));
  parser.flag("-h,--help", "print this and exit", [] {});

  const auto outcome = parser.parse(words);
  if (!outcome) return tl::unexpected<Error>(outcome.error());
  if (*outcome == ArgumentParser::Outcome::help_wanted) return ShowText{parser.help()};
  if (auto valid = check_session_options(exec.options.session); !valid) return tl::unexpected<Error>(valid.error());
  if (!command || command->empty()) return failure(ErrorCode::usage, "exec has no command", command_place);
  if (command->front().empty()) {
    return failure(ErrorCode::usage, "the command behind -- is empty", "Name a program");
  }
  exec.options.command = std::move(*command);
  return exec;
}

}  // namespace agentrun::cli
