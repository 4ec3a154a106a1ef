#pragma once
// Tokens of model calls. claude writes one line for each block of an answer, each with the usage of the whole.

#include <map>
#include <string>
#include <string_view>

#include <simdjson.h>

#include "agentrun/record.hpp"
#include "agentrun/usage.hpp"

namespace agentrun::claude_code {

/// Gives one UsageRecord for each answer, when it is known that no more of it comes.
class MessageUsage {
 public:
  /// One line of answer `id` to `parent`; the last line's numbers count.
  void add(std::string_view parent, std::string_view id, std::string_view model, simdjson::dom::element usage,
           RecordSink& sink);
  /// Before the subagent `parent` ends.
  void end(std::string_view parent, RecordSink& sink);
  void end_all(RecordSink& sink);

 private:
  struct Answer {
    std::string id;
    std::string model;
    TokenCounts tokens;
  };
  static void tell(const std::string& parent, Answer&& answer, RecordSink& sink);

  std::map<std::string, Answer, std::less<>> open_;  ///< by parent
};

/// The "modelUsage" of a result: what the whole run used, subagents included.
[[nodiscard]] UsageTotals model_usage(simdjson::dom::element models);

}  // namespace agentrun::claude_code
