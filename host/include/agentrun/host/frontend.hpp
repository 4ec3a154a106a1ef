#pragma once
// What the host needs from whoever shows its work.

#include <string>

#include "agentrun/event.hpp"

namespace agentrun::host {

/// Turns events into the bytes of standard output (jsonl, text). Called from one thread, in the order of the stream.
class EventFormatter {
 public:
  virtual ~EventFormatter() = default;
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
