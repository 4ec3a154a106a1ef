#pragma once
// Records in, events out: the one place that knows the order of events and the sums at the end.

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "agentrun/event.hpp"
#include "agentrun/record.hpp"

namespace agentrun {

/// Owns the state of one run's stream. Not thread-safe. Memory grows with open calls and subagents, not with the
/// length of the output.
class Aggregator {
 public:
  using Clock = std::chrono::steady_clock;

  /// What the records gave by the end of a run.
  struct Totals {
    UsageTotals usage;
    std::optional<std::string> result;  ///< the main agent's last text
  };

  /// Appends the events that `record` completes. `now` dates subagents.
  void add(Record&& record, Clock::time_point now, std::vector<EventBody>& out);

  /// Emits calls without a result and ends subagents that are still open as failed.
  void close(Clock::time_point now, std::vector<EventBody>& out);

  /// `prompt` was emitted already: agentrun emits what it passed when the runtime has no echo.
  [[nodiscard]] bool prompt_seen() const noexcept { return prompt_seen_; }
  [[nodiscard]] Totals totals() const;

 private:
  struct OpenCall {
    std::string id;
    std::optional<std::string> parent;
    std::string name;
    std::string summary;
    bool denied = false;
    std::uint64_t order = 0;
  };
  struct OpenSubagent {
    std::optional<std::string> parent;
    Clock::time_point since;
    UsageTotals usage;
    std::uint64_t order = 0;
  };
  class Visitor;

  [[nodiscard]] std::optional<std::string> known_parent(const std::string& id) const;
  void end_call(const std::string& id, bool denied, std::vector<EventBody>& out);
  void end_subagent(const std::string& id, bool failed, Clock::time_point now, std::vector<EventBody>& out);

  std::map<std::string, OpenCall> calls_;
  std::map<std::string, OpenSubagent> subagents_;
  std::uint64_t order_ = 0;
  std::uint64_t subagent_number_ = 0;
  bool prompt_seen_ = false;
  UsageTotals usage_;
  std::optional<std::string> result_;
};

}  // namespace agentrun
