#include "patch.hpp"

#include <array>
#include <string_view>

#include "agentrun/text.hpp"

namespace agentrun::dsh {

namespace {

// What would bring instructions or settings from outside the run into it, speak to other services than the model's, or
// write what nobody reads.
constexpr std::array<std::string_view, 13> unwanted = {
    "headless-runner",
    "agent-instructions",
    "skill",
    "skill-filesystem",
    "tool-skill",
    "session-title-llm",
    "session-telemetry-otel",
    "web",
    "web-search-deepseek",
    "tool-web",
    "command-feedback",
    // Of later versions.
    "session-log-deepseek",
    "plugin-package-inventory-deepseek",
};

// All that can start another agent.
constexpr std::array<std::string_view, 11> delegating = {
    "subagent",
    "subagent-spawn-in-process",
    "subagent-fork-in-process",
    "tool-subagent",
    "tool-subagent-fork",
    "tool-subagent-control",
    "tool-subagent-list-agents",
    "tool-subagent-report",
    "tool-workflow",
    "workflow-worker-thread",
    "tool-ralph",
};

std::string json_string(std::string_view text) {
  std::string out;
  append_json_string(out, text);
  return out;
}

/// RFC 8089. Everything but the characters that RFC 3986 calls unreserved is escaped.
std::string file_url(const std::filesystem::path& path) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  constexpr std::string_view plain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/";
  std::string url = "file://";
  for (const char c : path.native()) {
    if (plain.find(c) != std::string_view::npos) {
      url.push_back(c);
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    url.append({'%', digits[byte >> 4U], digits[byte & 0xFU]});
  }
  return url;
}

class Rows {
 public:
  void disable(std::string_view id) { row(R"("id":)" + json_string(id) + R"(,"disabled":true)"); }
  void configure(std::string_view id, std::string_view config) {
    row(R"("id":)" + json_string(id) + R"(,"config":{)" + std::string(config) + "}");
  }
  void row(std::string_view members) { text_.append(text_.empty() ? "[\n{" : ",\n{").append(members).append("}"); }

  [[nodiscard]] std::string text() const { return text_ + "\n]\n"; }

 private:
  std::string text_;
};

}  // namespace

std::string patch_text(const Patch& patch) {
  Rows rows;
  for (const std::string_view id : unwanted) rows.disable(id);
  rows.row(R"("insert":[{"id":"agentrun-runner","name":)" + json_string(file_url(patch.runner)) +
           R"(,"config":{"session":)" + json_string(patch.session) + R"(,"resume":)" +
           (patch.resume ? "true" : "false") + "}}]");
  if (patch.model) {
    rows.configure("agent-default-model", R"("provider":"deepseek-official","model":)" + json_string(*patch.model));
  }
  if (patch.effort) rows.configure("llm-deepseek", R"("reasoningEffort":)" + json_string(*patch.effort));
  if (!patch.subagents) {
    for (const std::string_view id : delegating) rows.disable(id);
    return rows.text();
  }
  // A subagent in the background, which is the default, dies with the run before its result is there.
  rows.configure("tool-subagent", R"("provider":"spawn","toolName":"subagent","enableRunInBackground":false)");
  rows.configure("tool-subagent-fork", R"("provider":"fork","toolName":"subagent_fork","enableRunInBackground":false)");
  return rows.text();
}

}  // namespace agentrun::dsh
