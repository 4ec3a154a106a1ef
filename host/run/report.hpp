#pragma once
// What the two jobs say in the same way.

#include <chrono>
#include <string>
#include <vector>

#include "agentrun/event.hpp"
#include "process/output_queue.hpp"
#include "process/signals.hpp"
#include "run/confinement.hpp"
#include "run/event_stream.hpp"

namespace agentrun::host {

[[nodiscard]] std::chrono::milliseconds since(std::chrono::steady_clock::time_point began);

/// "agentrun: TEXT" on standard error.
void complain(const std::string& text);

/// "[note] TEXT" on standard error, for each.
void remark(const std::vector<std::string>& notes);

/// The one `end` event of a run that did not start: rejected, or interrupted by a signal. Returns the exit code.
[[nodiscard]] int refuse(const Error& error, std::chrono::steady_clock::time_point began, const SignalSource& signals,
                         EventStream& stream, OutputQueue& output);

/// The fields of `start` that tell how a run is confined.
[[nodiscard]] StartEvent confinement_facts(const Setting& setting, const SandboxChoice& sandbox,
                                           const Confinement& confinement);

/// Says what is left behind.
void report_removal(const Result<void>& removed, OutputQueue& error);

}  // namespace agentrun::host
