#pragma once
// claude's stream of JSON lines into records.

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include <simdjson.h>

#include "agentrun/runtime.hpp"
#include "json/json_line.hpp"
#include "last_result.hpp"
#include "message_usage.hpp"
#include "tool_result.hpp"

namespace agentrun::claude_code {

struct TranslatorOptions {
  std::filesystem::path cwd;   ///< links resolved, as claude tells paths
  bool subagents = true;       ///< without: claude must not offer the tool that starts them
  bool sandboxed = true;       ///< its own sandbox is on
  bool keeps_session = false;  ///< the session's id is told at the end
};

class ClaudeTranslator final : public Translator {
 public:
  explicit ClaudeTranslator(TranslatorOptions options);

  void line(std::string_view line, RecordSink& sink) override;
  Verdict finish(const ExitFacts& exit, RecordSink& sink) override;

 private:
  enum class CallKind { bash, subagent };

  void init(simdjson::dom::element line, RecordSink& sink);
  void user(simdjson::dom::element line, RecordSink& sink);
  void assistant(simdjson::dom::element line, RecordSink& sink);
  void call(simdjson::dom::element block, std::string_view parent, RecordSink& sink);
  void call_ends(const ToolResult& result, bool rejected, RecordSink& sink);
  void subagent_ends(const std::string& id, bool failed, RecordSink& sink);
  [[nodiscard]] Verdict verdict(const ExitFacts& exit) const;

  TranslatorOptions options_;
  json::JsonLine json_;
  MessageUsage usage_;
  std::map<std::string, CallKind, std::less<>> open_;  ///< the calls whose results need more than an end
  std::optional<LastResult> result_;
  std::string session_;
  std::string sandbox_failure_;  ///< of the last command; empty when it ran
  bool prompt_seen_ = false;
  bool offers_subagents_;
  bool noted_subagents_ = false;
};

}  // namespace agentrun::claude_code
