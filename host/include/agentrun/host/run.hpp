#pragma once
// The jobs of the program: run an agent, run a command (each returns the exit code of docs/cli.md), say what a command
// could do.

#include <chrono>

#include "agentrun/explain.hpp"
#include "agentrun/host/frontend.hpp"
#include "agentrun/host/options.hpp"
#include "agentrun/host/plugins.hpp"

namespace agentrun::host {

/// Signals that end a run (SIGINT, SIGTERM, SIGHUP, SIGQUIT) and SIGCHLD must be blocked by main() before the first
/// thread starts; the jobs read them from there.
void block_job_signals();

struct Job {
  const Caller& caller;
  const PluginLibrary& plugins;
  FactSink& facts;                              ///< gets the facts under --debug and --dry-run
  std::chrono::steady_clock::time_point began;  ///< when parsing the command line began
};

/// Events go through `formatter` to standard output. A refusal is the one `end` event and a line on standard error.
[[nodiscard]] int run_agent(const RunOptions& options, const Job& job, EventFormatter& formatter);

/// Standard streams are the command's own. Refusals are 125, 126 and 127, on standard error only.
[[nodiscard]] int run_command(const ExecOptions& options, const Job& job);

/// What `exec` with these options would let its command do, from the decisions of a run that is not started. Nothing is
/// made, and no name is looked up.
[[nodiscard]] Result<Explanation> explain(const ExplainOptions& options, const Job& job);

/// What a refusal that happens before a job exists (a command line that cannot be parsed) prints: the one `end`
/// event, and the line on standard error. Returns 2.
[[nodiscard]] int reject(const std::string& detail, std::chrono::steady_clock::time_point began,
                         EventFormatter& formatter);

}  // namespace agentrun::host
