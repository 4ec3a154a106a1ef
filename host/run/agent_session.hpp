#pragma once
// The conversation with a running agent: its output becomes records, records become events.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "agentrun/aggregator.hpp"
#include "agentrun/runtime.hpp"
#include "process/line_splitter.hpp"
#include "process/supervisor.hpp"
#include "run/error_watch.hpp"
#include "run/event_stream.hpp"
#include "run/network_feed.hpp"
#include "run/raw_file.hpp"

namespace agentrun::host {

class AgentSession final : public Audience, private RecordSink {
 public:
  /// What it refers to outlives it. `error` is agentrun's own standard error.
  AgentSession(Translator& translator, EventStream& stream, OutputQueue& error, NetworkFeed& feed, ErrorWatch watch,
               std::vector<RawFile> raw);

  /// Killed when the translator stops the run.
  void attach(Supervisor& supervisor) noexcept { supervisor_ = &supervisor; }

  void on_output(std::string_view bytes) override;
  void on_error(std::string_view bytes) override;
  void on_wake() override;

  /// After the process has ended: the last line, the verdict, what was left open.
  [[nodiscard]] Verdict finish(const Ending& ending, bool wrapped);

  [[nodiscard]] const std::optional<std::string>& stop_reason() const noexcept { return stop_reason_; }
  [[nodiscard]] const ErrorWatch& errors() const noexcept { return watch_; }
  [[nodiscard]] Aggregator::Totals totals() const { return aggregator_.totals(); }

 private:
  void record(Record&& record) noexcept override;
  void stop(std::string reason) noexcept override;
  void line(std::string_view text);
  void emit_all();

  Translator& translator_;
  EventStream& stream_;
  OutputQueue& error_;
  NetworkFeed& feed_;
  ErrorWatch watch_;
  std::vector<RawFile> raw_;
  Supervisor* supervisor_ = nullptr;
  LineSplitter splitter_{Translator::line_padding};
  Aggregator aggregator_;
  std::vector<EventBody> events_;
  std::optional<std::string> stop_reason_;
  std::string last_refusal_;
};

/// What a runtime is told about the end: a wrapper's 128 + n is the signal n.
[[nodiscard]] ExitFacts exit_facts(const Ending& ending, bool wrapped) noexcept;

}  // namespace agentrun::host
