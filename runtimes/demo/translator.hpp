#pragma once
// The demo agent's lines (agent/main.cpp lists them) into records.

#include <optional>
#include <string_view>

#include <simdjson.h>

#include "agentrun/runtime.hpp"

namespace agentrun::demo {

class DemoTranslator final : public Translator {
 public:
  void line(std::string_view line, RecordSink& sink) override;
  Verdict finish(const ExitFacts& exit, RecordSink& sink) override;

 private:
  simdjson::dom::parser parser_;
  std::optional<ToolStartRecord> step_;  ///< the one being taken
};

}  // namespace agentrun::demo
