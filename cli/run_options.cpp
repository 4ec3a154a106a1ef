#include "cli/run_options.hpp"

#include <utility>

#include "cli/argument_parser.hpp"
#include "cli/option_values.hpp"
#include "cli/session_options.hpp"

namespace agentrun::cli {

namespace {

constexpr const char* one_prompt = "Give the prompt once: --prompt TEXT, --prompt-file FILE or standard input";

ParserText text_of(const std::string& runtime) {
  return {.usage = "agentrun " + runtime + " [options] [-- runtime arguments]",
          .about = "Runs the agent " + runtime + " with a prompt and shows what it does as events.",
          .epilogue =
              "An option that is not called repeatable counts once: the last one wins. A prompt can be\n"
              "given only once. What stands behind -- goes to the runtime unchanged, behind the\n"
              "arguments that agentrun makes, and can override its permissions: you answer for it.\n"
              "\n"
              "Exit codes: 0 finished, 1 failed, 2 rejected (nothing was started), 3 timeout, 4 turn limit,\n"
              "130 SIGINT, 143 SIGTERM, 129 SIGHUP, 131 SIGQUIT.\n"
              "\n"
              "Examples:\n"
              "  agentrun " +
              runtime +
              " --prompt 'Make the tests pass' --network custom --allow-host files.example.com\n"
              "  git diff | agentrun " +
              runtime + " --format text --timeout 600",
          .positional =
              "A prompt is given with --prompt TEXT, --prompt-file FILE or on standard input; arguments for the "
              "runtime go behind --"};
}

Setter store_prompt(std::optional<std::string>& prompt) {
  return [&prompt](std::string_view /*option*/, const std::string& value) -> Result<void> {
    if (prompt) return failure(ErrorCode::usage, "--prompt is given twice", one_prompt);
    prompt = value;
    return {};
  };
}

Setter store_prompt_file(std::optional<std::filesystem::path>& file) {
  return [&file](std::string_view option, const std::string& value) -> Result<void> {
    if (file) return failure(ErrorCode::usage, "--prompt-file is given twice", one_prompt);
    return store(file)(option, value);
  };
}

void declare_agent_options(ArgumentParser& parser, host::RunOptions& options) {
  parser.group("Agent");
  parser.option("--prompt", "TEXT", "the prompt (default: read from standard input)", store_prompt(options.prompt));
  parser.option("--prompt-file", "FILE", "a file that holds the prompt", store_prompt_file(options.prompt_file));
  parser.option("--image", "FILE", "a PNG, JPEG, GIF or WebP file to go with the prompt;\nrepeatable",
                append(options.images));
  parser.option("--model", "ID", "passed to the runtime as it is (default: the runtime's)",
                store(options.arguments.model));
  parser.option("--effort", "LEVEL", "reasoning effort, passed on unchecked (default: the\nruntime's)",
                store(options.arguments.effort));
  parser.option("--max-turns", "N", "stop after so many turns, where the runtime can\n(default: no limit)",
                store_count(options.arguments.max_turns));
  parser.option("--session-dir", "DIR", "keep the session's record there when the run ends",
                store(options.session_directory));
  parser.option("--resume", "ID", "go on with a session that was saved in --session-dir",
                store(options.arguments.resume));
  parser.flag("--no-subagents", "the agent may not start subagents",
              [&options] { options.arguments.subagents = false; });
}

void declare_output_options(ArgumentParser& parser, host::RunOptions& options, OutputFormat& format) {
  parser.group("Output");
  parser.option("--format", "rich|text|jsonl",
                "what standard output shows (default: rich on a\nterminal, else jsonl; rich shows as text for now)",
                store_output_format(format));
  parser.option("--raw", "FILE", "write the runtime's own standard output to a file", store(options.raw));
  parser.flag("-h,--help", "print this and exit", [] {});
}

}  // namespace

Result<Command> parse_run(const std::string& runtime, const std::vector<std::string>& words,
                          std::vector<std::string> extra, OutputFormat usual) {
  RunCommand command;
  command.format = usual;
  host::RunOptions& options = command.options;
  options.runtime = runtime;
  options.arguments.extra = std::move(extra);

  ArgumentParser parser(text_of(runtime));
  declare_agent_options(parser, options);
  declare_session_options(parser, options.session);
  declare_output_options(parser, options, command.format);

  const auto outcome = parser.parse(words);
  if (!outcome) return tl::unexpected<Error>(outcome.error());
  if (*outcome == ArgumentParser::Outcome::help_wanted) return ShowText{parser.help()};
  if (options.prompt && options.prompt_file) {
    return failure(ErrorCode::usage, "--prompt and --prompt-file are both given", one_prompt);
  }
  if (options.arguments.resume && !options.session_directory) {
    return failure(ErrorCode::usage, "--resume needs --session-dir", "Name the directory that holds the saved session");
  }
  options.arguments.keep_session = options.session_directory.has_value();
  if (auto valid = check_session_options(options.session); !valid) return tl::unexpected<Error>(valid.error());
  return command;
}

}  // namespace agentrun::cli
