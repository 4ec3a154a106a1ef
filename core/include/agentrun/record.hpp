#pragma once
// What a runtime's translator says about one line of output. The aggregator turns records into events: it numbers
// subagents, closes what was left open and sums usage, so that no runtime has to.

#include <optional>
#include <string>
#include <variant>

#include "agentrun/usage.hpp"

namespace agentrun {

/// In every record an empty `parent` is the main agent; else the id of the call that started the subagent.
struct PromptRecord {
  std::string text;
};

struct TextRecord {
  std::string parent;
  std::string text;
};

struct ToolStartRecord {
  std::string id;
  std::string parent;
  std::string name;
  std::string summary;
};

/// The runtime's own permission system refused the call; it still ends by a ToolEndRecord.
struct ToolDeniedRecord {
  std::string id;
};

struct ToolEndRecord {
  std::string id;
  bool denied = false;
};

struct UsageRecord {
  std::string parent;
  std::string model;  ///< empty: unknown
  TokenCounts tokens;
};

struct SubagentStartRecord {
  std::string id;
  std::string parent;
  std::string kind;
  std::string model;  ///< empty: unknown
  std::string description;
};

struct SubagentEndRecord {
  std::string id;
  bool failed = false;
};

struct NoteRecord {
  std::string text;
};

using Record = std::variant<PromptRecord, TextRecord, ToolStartRecord, ToolDeniedRecord, ToolEndRecord, UsageRecord,
                            SubagentStartRecord, SubagentEndRecord, NoteRecord>;

/// Given to a translator for the length of one call. Implemented by the host; does not throw.
class RecordSink {
 public:
  virtual void record(Record&& record) noexcept = 0;
  /// The run cannot go on: the runtime is killed and the run has failed with this detail. The first reason counts.
  virtual void stop(std::string reason) noexcept = 0;

 protected:
  ~RecordSink() = default;
};

}  // namespace agentrun
