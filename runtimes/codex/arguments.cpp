#include "arguments.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>

#include "agentrun/text.hpp"
#include "program_path/program_path.hpp"

namespace agentrun::codex {

namespace {

// What would bring in instructions, programs or connections that nobody asked for in this run.
constexpr std::array<std::string_view, 16> features_off = {"apps",
                                                           "plugins",
                                                           "remote_plugin",
                                                           "plugin_sharing",
                                                           "tool_suggest",
                                                           "hooks",
                                                           "skill_mcp_dependency_install",
                                                           "image_generation",
                                                           "goals",
                                                           "memories",
                                                           "shell_snapshot",
                                                           "computer_use",
                                                           "browser_use",
                                                           "browser_use_external",
                                                           "in_app_browser",
                                                           "daemon_auto_start"};

bool is_word(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
  });
}

class Builder {
 public:
  explicit Builder(std::vector<std::string>& arguments) : arguments_(arguments) {}

  void add(std::initializer_list<std::string> more) { arguments_.insert(arguments_.end(), more); }
  void set(std::string_view key, std::string_view value) { add({"-c", std::string(key).append("=").append(value)}); }
  /// Not --disable, for which a name that this version does not know is an error.
  void disable(std::string_view feature) { set(std::string("features.").append(feature), "false"); }

 private:
  std::vector<std::string>& arguments_;
};

void add_settings(Builder& line, const LaunchContext& context) {
  // Behind the sandbox it asks nobody: what the rules do not allow is refused.
  line.set("approval_policy", R"("never")");
  const bool searches = context.policy.network().mode() == NetworkMode::full;
  line.set("web_search", searches ? R"("live")" : R"("disabled")");
  line.set("project_doc_max_bytes", "0");
  line.set("skills.include_instructions", "false");
  line.set("skills.bundled.enabled", "false");
  line.set("allow_login_shell", "false");
  line.set("analytics.enabled", "false");
  if (program_path::without_planted_programs(context)) {
    // The process itself gets less of it; the agent's commands get it whole.
    std::string whole;
    append_json_string(whole, context.search_path);  // a TOML string too
    line.set("shell_environment_policy.set.PATH", whole);
  }
  for (const std::string_view feature : features_off) line.disable(feature);
  // With it a run whose model service cannot be reached never ends.
  line.disable("unbounded_connection_retries");
  if (context.arguments.subagents) return;
  // The features alone would leave the tools with some models.
  line.set("agents.enabled", "false");
  line.disable("multi_agent");
  line.disable("multi_agent_v2");
}

/// The value of "--name VALUE" or "--name=VALUE", where `at` is the index of that argument; else nothing.
std::optional<std::string_view> value_of(const std::vector<std::string>& arguments, std::size_t at,
                                         std::string_view name) {
  std::string_view argument = arguments[at];
  if (!argument.starts_with(name)) return std::nullopt;
  argument.remove_prefix(name.size());
  if (argument.empty()) return at + 1 < arguments.size() ? std::string_view(arguments[at + 1]) : std::string_view();
  const bool is_long = name.starts_with("--");
  if (is_long && !argument.starts_with('=')) return std::nullopt;
  if (argument.starts_with('=')) argument.remove_prefix(1);
  return argument;
}

bool replaces_sandbox_setting(std::string_view setting) {
  setting.remove_prefix(std::min(setting.find_first_not_of(" \t"), setting.size()));
  for (const std::string_view key : {"default_permissions", "permissions", "sandbox_mode", "sandbox_workspace_write",
                                     "features.network_proxy", "features={", "features ", "features="}) {
    if (setting.starts_with(key)) return true;
  }
  return setting.starts_with("\"") || setting.starts_with("'");  // a quoted key
}

bool replaces_sandbox(const std::vector<std::string>& arguments, std::size_t at) {
  const std::string_view argument = arguments[at];
  for (const std::string_view option :
       {"--dangerously-bypass-approvals-and-sandbox", "--yolo", "--full-auto", "--approve-for-me", "--worktree"}) {
    if (argument == option) return true;
  }
  for (const std::string_view option : {"-s", "--sandbox", "-p", "--profile", "-C", "--cd", "--add-dir"}) {
    if (value_of(arguments, at, option)) return true;
  }
  for (const std::string_view option : {"-c", "--config"}) {
    if (const auto setting = value_of(arguments, at, option); setting && replaces_sandbox_setting(*setting))
      return true;
  }
  for (const std::string_view option : {"--enable", "--disable"}) {
    if (value_of(arguments, at, option) == "network_proxy") return true;
  }
  return false;
}

}  // namespace

Result<void> check_arguments(const RunArguments& arguments) {
  if (arguments.effort && !is_word(*arguments.effort)) {
    return failure(ErrorCode::usage, "--effort for codex must be one word, got '" + *arguments.effort + "'",
                   "For example --effort high");
  }
  if (arguments.resume && !is_word(*arguments.resume)) {
    return failure(ErrorCode::usage, "--resume: '" + *arguments.resume + "' is no session id of codex",
                   "It is the session of the end event of the run to go on with");
  }
  return {};
}

std::optional<std::string> sandbox_override(const std::vector<std::string>& extra) {
  for (std::size_t at = 0; at < extra.size(); ++at) {
    if (replaces_sandbox(extra, at)) return extra[at];
  }
  return std::nullopt;
}

CommandLine command_line(const LaunchContext& context) {
  const RunArguments& asked = context.arguments;
  CommandLine result;
  Builder line(result.arguments);
  line.add({"exec"});
  if (asked.resume) line.add({"resume"});
  result.sandbox_at = result.arguments.size();
  if (!context.sandboxed) line.set("default_permissions", R"(":danger-full-access")");
  line.add({"--json", "--skip-git-repo-check", "--ignore-user-config", "--ignore-rules"});
  // "exec resume" has no -C: it goes on where the process is started.
  if (!asked.resume) line.add({"-C", context.cwd.native()});
  // In front of other options: it takes as many files as follow.
  for (const std::filesystem::path& image : context.images) line.add({"-i", image.native()});
  add_settings(line, context);
  if (asked.model) line.add({"-m", *asked.model});
  if (asked.effort) line.set("model_reasoning_effort", "\"" + *asked.effort + "\"");
  std::ranges::copy(asked.extra, std::back_inserter(result.arguments));
  if (asked.resume) line.add({*asked.resume});
  line.add({"-"});
  return result;
}

}  // namespace agentrun::codex
