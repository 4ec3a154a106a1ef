#pragma once
// pi's JSON output into records.

#include <optional>
#include <string>
#include <string_view>

#include <simdjson.h>

#include "agentrun/runtime.hpp"
#include "json/json_line.hpp"
#include "line_kind.hpp"

namespace agentrun::pi {

class PiTranslator final : public Translator {
 public:
  /// `model` is what --model asked for.
  explicit PiTranslator(std::optional<std::string> model);

  void line(std::string_view line, RecordSink& sink) override;
  Verdict finish(const ExitFacts& exit, RecordSink& sink) override;

 private:
  void assistant_begins(simdjson::dom::element message, RecordSink& sink);
  static void user_ends(simdjson::dom::element message, RecordSink& sink);
  void assistant_ends(simdjson::dom::element message, RecordSink& sink);
  static void tool_begins(simdjson::dom::element event, RecordSink& sink);
  static void tool_ends(simdjson::dom::element event, RecordSink& sink);

  std::optional<std::string> asked_;  ///< until the first answer has shown which model pi uses
  json::JsonLine json_;
  std::string mismatch_;
  std::string failure_;  ///< of the last answer; empty when it was good
  bool answered_ = false;
  bool settled_ = false;
};

}  // namespace agentrun::pi
