#include "settings.hpp"

#include <algorithm>
#include <filesystem>

#include "agentrun/text.hpp"
#include "path_rules.hpp"

namespace agentrun::claude_code {

namespace {

using Paths = std::vector<std::filesystem::path>;

std::string json_string(std::string_view text) {
  std::string out;
  append_json_string(out, text);
  return out;
}

std::string json_array(const std::vector<std::string>& texts) {
  std::string out = "[";
  for (const std::string& text : texts) {
    if (out.size() > 1) out.push_back(',');
    append_json_string(out, text);
  }
  return out + "]";
}

std::string json_array(const Paths& paths) {
  std::vector<std::string> texts;
  for (const std::filesystem::path& path : paths) texts.push_back(path.native());
  return json_array(texts);
}

/// claude matches paths, not files: a missing one counts, too, and a link by both its names.
Paths denied_paths(const Policy& policy) {
  Paths paths = policy.deny_read();
  for (const HiddenPath& hidden : policy.hidden()) {
    if (std::ranges::find(paths, hidden.path) == paths.end()) paths.push_back(hidden.path);
  }
  return paths;
}

std::string sandbox_json(const LaunchContext& context, const Paths& denied) {
  std::string out =
      R"({"enabled":true,"failIfUnavailable":true,"autoAllowBashIfSandboxed":true,"allowUnsandboxedCommands":false,)"
      R"("filesystem":{"allowWrite":)" +
      json_array(context.policy.writable()) + R"(,"denyRead":)" + json_array(denied) +
      R"(},"network":{"allowedDomains":[])";
  if (context.network.kind == NetworkAccess::Kind::proxied) {
    const std::string port = port_text(context.network);
    out += R"(,"httpProxyPort":)" + port + R"(,"socksProxyPort":)" + port;
  }
  return out + "}}";
}

/// The sandbox holds commands only; Read, Grep and Glob are denied by rules.
std::string permissions_json(const Paths& denied, const std::vector<std::string>& allowed) {
  std::vector<std::string> rules;
  for (const std::filesystem::path& path : denied) {
    rules.push_back(rule_for("Read", path));
    rules.push_back(rule_below("Read", path));
  }
  std::string out = "{";
  if (!allowed.empty()) out += R"("allow":)" + json_array(allowed) + ",";
  return out + R"("deny":)" + json_array(rules) + "}";
}

}  // namespace

std::string settings_json(const LaunchContext& context, const std::vector<std::string>& allowed) {
  const Paths denied = denied_paths(context.policy);
  std::string out = "{";
  if (context.sandboxed) out += R"("sandbox":)" + sandbox_json(context, denied) + ",";
  out += R"("permissions":)" + permissions_json(denied, allowed) + R"(,"autoMemoryEnabled":false)";
  if (context.sandboxed) {
    out += R"(,"autoMemoryDirectory":)" + json_string((context.session_directory / "memory").native());
  }
  return out + "}";
}

}  // namespace agentrun::claude_code
