#pragma once
// The session events of dsh, as the runner prints them (module/agentrun-dsh-runner.mjs), into records.

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include <simdjson.h>

#include "agentrun/runtime.hpp"
#include "delegations.hpp"
#include "event_kind.hpp"
#include "json/json_line.hpp"
#include "turn_end.hpp"

namespace agentrun::dsh {

class DshTranslator final : public Translator {
 public:
  /// `cwd` is where dsh runs: it reads a file there that can keep it from starting.
  explicit DshTranslator(std::filesystem::path cwd);

  void line(std::string_view line, RecordSink& sink) override;
  Verdict finish(const ExitFacts& exit, RecordSink& sink) override;

 private:
  void event(EventKind kind, std::string_view session, simdjson::dom::element data, RecordSink& sink);
  void user_message(std::string_view session, simdjson::dom::element message, RecordSink& sink);
  void assistant_message(std::string_view session, simdjson::dom::element data, RecordSink& sink);
  void tool_call(std::string_view session, simdjson::dom::element call, RecordSink& sink);
  void tool_result(std::string_view session, simdjson::dom::element message, RecordSink& sink);
  void turn_end(std::string_view session, simdjson::dom::element data, RecordSink& sink);
  /// The element lives until the next call.
  std::optional<simdjson::dom::element> parse_arguments(std::string_view text);
  void delegate(std::string_view session, SubagentStartRecord&& record, simdjson::dom::element arguments,
                RecordSink& sink);

  std::filesystem::path cwd_;
  json::JsonLine json_;
  json::JsonLine arguments_;  ///< of a call: JSON inside a JSON string
  std::string padded_;
  Delegations delegations_;
  bool began_ = false;
  TurnEnd end_;
};

}  // namespace agentrun::dsh
