#pragma once
// What the host needs from whoever shows its work.

#include <string>
#include <string_view>

#include "agentrun/event.hpp"

namespace agentrun::host {

/// Turns events into the bytes of standard output (jsonl, text). Called from one thread, in the order of the stream.
class EventFormatter {
 public:
  virtual ~EventFormatter() = default;
  /// The run goes on without a sandbox under --sandbox relax: why. Called before the start event, which has no field
  /// for it; the formats for people put it in their first line.
  virtual void sandbox_missing(std::string_view reason) { static_cast<void>(reason); }
  /// Appends complete lines.
  virtual void format(const Event& event, std::string& out) = 0;
};

/// One fact about a run, for --dry-run and --debug: "name: value". Never holds the value of a variable (PATH
/// excepted) or the prompt.
struct Fact {
  std::string name;
  std::string value;
};

class FactSink {
 public:
  virtual ~FactSink() = default;
  virtual void fact(const Fact& fact) = 0;
};

}  // namespace agentrun::host
