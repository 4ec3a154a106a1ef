#include "cli/explain_options.hpp"

#include <optional>
#include <string_view>
#include <utility>

#include "cli/argument_parser.hpp"
#include "cli/session_options.hpp"

namespace agentrun::cli {
namespace {

constexpr const char* question = "Ask one thing, behind the options: read PATH, write PATH or connect HOST:PORT";

ParserText explain_text() {
  return {.usage = "agentrun explain [options] read PATH | write PATH | connect HOST:PORT",
          .about = "Says whether a command that exec runs with these options could do that, and by which rule.",
          .epilogue =
              "Nothing is run and no name is looked up. A file's own permissions are not looked at.\n"
              "\n"
              "Exit codes: 0 it is allowed, 1 it is not, 2 the question cannot be answered.\n"
              "\n"
              "Examples:\n"
              "  agentrun explain read ~/.ssh/id_ed25519\n"
              "  agentrun explain --network custom --allow-host '*.example.com' connect www.example.com:443",
          .positional = question};
}

std::optional<host::Access> parse_access(std::string_view word) {
  if (word == "read") return host::Access::read;
  if (word == "write") return host::Access::write;
  if (word == "connect") return host::Access::connect;
  return std::nullopt;
}

}  // namespace

Result<Command> parse_explain(const std::vector<std::string>& words) {
  ExplainCommand explain;
  ArgumentParser parser(explain_text());
  declare_session_options(parser, explain.options.session);  // those of exec, so that its line can be asked about
  parser.flag("--json", "print one JSON object", [&explain] { explain.json = true; });
  parser.flag("-h,--help", "print this and exit", [] {});

  // The question stands last; an option's value is not taken for it, since the two words before the end are.
  const bool has_question = words.size() >= 2 && parse_access(words[words.size() - 2]);
  const std::vector<std::string> options(words.begin(), words.end() - (has_question ? 2 : 0));
  const auto outcome = parser.parse(options);
  if (!outcome) return tl::unexpected<Error>(outcome.error());
  if (*outcome == ArgumentParser::Outcome::help_wanted) return ShowText{parser.help()};
  if (auto valid = check_session_options(explain.options.session); !valid) return tl::unexpected<Error>(valid.error());
  if (!has_question) return failure(ErrorCode::usage, "explain has no question", question);
  explain.options.access = *parse_access(words[words.size() - 2]);
  explain.options.object = words.back();
  if (explain.options.object.empty()) return failure(ErrorCode::usage, "explain asks for nothing", question);
  return explain;
}

}  // namespace agentrun::cli
