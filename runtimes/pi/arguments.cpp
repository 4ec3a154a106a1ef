#include "arguments.hpp"

#include <algorithm>
#include <array>
#include <iterator>

namespace agentrun::pi {

namespace {

constexpr std::array<std::string_view, 7> thinking_levels = {"off", "minimal", "low", "medium", "high", "xhigh", "max"};

// Linux refuses an argument of 32 pages with its terminating NUL (MAX_ARG_STRLEN in binfmts.h).
constexpr std::size_t longest_argument = 32 * 4096 - 1;

}  // namespace

Result<void> check_arguments(const RunArguments& arguments) {
  if (!arguments.model) return {};
  const std::string& model = *arguments.model;
  const std::size_t slash = model.find('/');
  if (slash == std::string::npos || slash == 0 || slash + 1 == model.size()) {
    return failure(ErrorCode::usage, "--model for pi must be provider/model, got '" + model + "'");
  }
  return {};
}

std::string_view without_thinking_level(std::string_view model) noexcept {
  const std::size_t colon = model.rfind(':');
  if (colon == std::string_view::npos) return model;
  const bool known = std::ranges::find(thinking_levels, model.substr(colon + 1)) != thinking_levels.end();
  return known ? model.substr(0, colon) : model;
}

bool fits_an_argument(std::string_view prompt) noexcept {
  if (prompt.size() > longest_argument) return false;
  // pi reads "@name" as a file to attach, behind "--" too.
  return !prompt.starts_with('@') && prompt.find('\0') == std::string_view::npos;
}

std::optional<SessionRecord> session_record(const LaunchContext& context) {
  if (!context.arguments.keep_session) return std::nullopt;
  return SessionRecord{
      context.session_directory / "pi-sessions", {}, context.arguments.resume.value_or(context.session_id)};
}

std::vector<std::string> plain_options() {
  return {"--no-extensions",
          "--no-skills",
          "--no-prompt-templates",
          "--no-themes",
          "--no-context-files",
          "--no-approve",
          "--offline",
          "--tools",
          "read,bash,edit,write,grep,find,ls"};
}

CommandLine command_line(const LaunchContext& context) {
  const RunArguments& asked = context.arguments;
  CommandLine line;
  std::vector<std::string>& arguments = line.arguments;
  arguments = {"-p", "--mode", "json"};
  if (const auto record = session_record(context)) {
    // Goes on with the session of that id, or begins it.
    arguments.insert(arguments.end(), {"--session-dir", record->directory.native(), "--session-id", record->id});
  } else {
    arguments.emplace_back("--no-session");
  }
  std::ranges::copy(plain_options(), std::back_inserter(arguments));
  if (asked.model) arguments.insert(arguments.end(), {"--model", *asked.model});
  if (asked.effort) arguments.insert(arguments.end(), {"--thinking", *asked.effort});
  for (const std::filesystem::path& image : context.images)
    arguments.push_back(std::string("@").append(image.native()));
  std::ranges::copy(asked.extra, std::back_inserter(arguments));

  if (fits_an_argument(context.prompt)) {
    arguments.emplace_back("--");
    line.prompt_argument = arguments.size();
    arguments.push_back(context.prompt);
  } else {
    // pi puts what it reads there in front of its first message, without white space around it.
    line.standard_input = context.prompt;
  }
  return line;
}

}  // namespace agentrun::pi
