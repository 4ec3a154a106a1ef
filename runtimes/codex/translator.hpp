#pragma once
// codex's JSON output into records. What the output leaves out comes from the rollout in codex's private home at the
// end of the run.

#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include <simdjson.h>

#include "agentrun/runtime.hpp"
#include "json/json_line.hpp"
#include "line_kind.hpp"
#include "rollout.hpp"
#include "tool_item.hpp"

namespace agentrun::codex {

struct TranslatorOptions {
  std::optional<std::string> model = {};   ///< --model: codex does not tell which one it uses
  std::optional<std::string> resume = {};  ///< the thread that has to go on
  std::filesystem::path home = {};         ///< codex's private home; empty: there is no rollout to read
  bool sandboxed = true;
  std::optional<std::string> sandbox_override = {};  ///< the caller's argument that replaces the sandbox
};

class CodexTranslator final : public Translator {
 public:
  explicit CodexTranslator(TranslatorOptions options) : options_(std::move(options)) {}

  void line(std::string_view line, RecordSink& sink) override;
  Verdict finish(const ExitFacts& exit, RecordSink& sink) override;

 private:
  void thread_started(simdjson::dom::element event, RecordSink& sink);
  void item(LineKind kind, simdjson::dom::element item, RecordSink& sink);
  void tool_ended(std::string id, simdjson::dom::element item, RecordSink& sink);
  void turn_completed(simdjson::dom::element event, RecordSink& sink);
  void count(const TokenCounts& total, RecordSink& sink);

  [[nodiscard]] RolloutReader read_rollout() const;
  void add_hidden_calls(const RolloutTurn& turn, RecordSink& sink);
  void add_what_the_stream_left_out(RecordSink& sink);
  [[nodiscard]] Verdict verdict(const ExitFacts& exit) const;

  TranslatorOptions options_;
  json::JsonLine json_;
  std::map<std::string, ToolText> open_;  ///< calls without an end, by the item's id
  std::string thread_;
  std::size_t turns_ = 0;
  TokenCounts counted_;  ///< of what the thread's total holds, the part that needs no record any more
  std::string mismatch_;
  std::optional<std::string> sandbox_error_;
  std::optional<std::string> turn_failure_;
  std::optional<std::string> error_;
  bool completed_ = false;
};

}  // namespace agentrun::codex
