#pragma once
// Where the facts of --dry-run and --debug go.

#include <memory>

#include "agentrun/host/frontend.hpp"
#include "agentrun/host/options.hpp"
#include "cli/console.hpp"

namespace agentrun::cli {

/// "name: value" on standard output under --dry-run, "[debug] name: value" on standard error under --debug, both
/// under both, nothing else. One line a fact: control characters become spaces, so that the name of a directory
/// cannot forge another fact.
class FactOutput final : public host::FactSink {
 public:
  FactOutput(const host::SessionOptions& options, Console& console);
  ~FactOutput() override;
  FactOutput(const FactOutput&) = delete;
  FactOutput& operator=(const FactOutput&) = delete;

  void fact(const host::Fact& fact) override;

 private:
  Console& console_;
  bool on_output_;
  class DebugLog;
  std::unique_ptr<DebugLog> debug_;  ///< made only under --debug
};

}  // namespace agentrun::cli
