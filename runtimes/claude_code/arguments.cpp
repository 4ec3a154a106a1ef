#include "arguments.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "settings.hpp"
#include "tools.hpp"

namespace agentrun::claude_code {

namespace {

bool is_uuid(std::string_view text) {
  constexpr std::string_view form = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";
  return std::ranges::equal(text, form, [](char c, char expected) {
    if (expected == '-') return c == '-';
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
  });
}

}  // namespace

Result<void> check_arguments(const RunArguments& arguments) {
  if (arguments.resume && !is_uuid(*arguments.resume)) {
    return failure(ErrorCode::usage, "--resume: '" + *arguments.resume + "' is not the id of a claude-code session",
                   "Give the id that the end event of the saved run shows");
  }
  return {};
}

std::vector<std::string> command_line(const LaunchContext& context) {
  const RunArguments& asked = context.arguments;
  Tools tools = tools_of(context);
  std::vector<std::string> arguments = {"-p",
                                        "--output-format",
                                        "stream-json",
                                        "--verbose",
                                        "--input-format",
                                        "stream-json",
                                        "--replay-user-messages",
                                        "--permission-mode",
                                        context.sandboxed ? "dontAsk" : "auto",
                                        "--setting-sources",
                                        "",
                                        "--strict-mcp-config"};
  const auto add = [&](std::initializer_list<std::string> more) {
    arguments.insert(arguments.end(), more.begin(), more.end());
  };
  if (!asked.keep_session) add({"--no-session-persistence"});
  // A new id, so that a run started inside a session of claude's does not write into that one.
  if (asked.resume) {
    add({"--resume", *asked.resume});
  } else {
    add({"--session-id", context.session_id});
  }
  add({"--tools", tools.names, "--allowedTools", tools.allowed, "--settings", settings_json(context, tools.rules)});
  if (asked.model) add({"--model", *asked.model});
  if (asked.effort) add({"--effort", *asked.effort});
  if (asked.max_turns) add({"--max-turns", std::to_string(*asked.max_turns)});
  std::ranges::copy(asked.extra, std::back_inserter(arguments));
  return arguments;
}

}  // namespace agentrun::claude_code
