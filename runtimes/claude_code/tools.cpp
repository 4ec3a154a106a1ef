#include "tools.hpp"

#include <algorithm>

#include "path_rules.hpp"

namespace agentrun::claude_code {

namespace {

void append(std::string& list, std::string_view entry) {
  if (!list.empty()) list.push_back(',');
  list.append(entry);
}

/// What may be written, by its real names and by those that the caller and TMPDIR use: claude asks for a rule for the
/// name that a tool is given and, behind links, for the real one, too.
std::vector<std::filesystem::path> writable_names(const LaunchContext& context) {
  std::vector<std::filesystem::path> names = context.policy.writable();
  for (const std::filesystem::path& name : {context.cwd, context.session_directory}) {
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  }
  return names;
}

/// The file tools run in claude's own process: these rules are all that limits them.
void allow_writes(const LaunchContext& context, Tools& tools) {
  for (const std::filesystem::path& directory : writable_names(context)) {
    for (const char* tool : {"Edit", "Write"}) {
      std::string rule = rule_below(tool, directory);
      if (fits_a_list(rule)) {
        append(tools.allowed, rule);
      } else {
        tools.rules.push_back(std::move(rule));
      }
    }
  }
}

/// A search runs on the model service's side, where no host rule could hold it: only `full` has it.
void allow_web(const NetworkPolicy& network, Tools& tools) {
  if (network.mode() == NetworkMode::none) return;
  append(tools.names, "WebFetch");
  if (network.mode() == NetworkMode::full) {
    append(tools.names, "WebSearch");
    append(tools.allowed, "WebFetch,WebSearch");
    return;
  }
  std::vector<std::string> seen;
  for (const HostRule& rule : network.rules()) {
    std::string entry = std::string("WebFetch(domain:") + (rule.wildcard ? "*." : "") + rule.host + ")";
    if (std::ranges::find(seen, entry) != seen.end()) continue;
    append(tools.allowed, entry);
    seen.push_back(std::move(entry));
  }
}

}  // namespace

Tools tools_of(const LaunchContext& context) {
  Tools tools;
  tools.names = "Read,Edit,Write,Glob,Grep,Bash";
  tools.allowed = context.sandboxed ? "Read,Glob,Grep" : "Read,Edit,Write,Glob,Grep";
  if (context.arguments.subagents) {
    append(tools.names, "Task");
    append(tools.allowed, "Task");
  }
  if (context.sandboxed) {
    // Allowed by the sandbox alone, loops and some compound commands would still be denied.
    append(tools.allowed, "Bash");
    allow_writes(context, tools);
  }
  allow_web(context.policy.network(), tools);
  return tools;
}

}  // namespace agentrun::claude_code
