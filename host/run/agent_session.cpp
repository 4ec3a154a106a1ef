#include "run/agent_session.hpp"

#include "run/outcome.hpp"

namespace agentrun::host {
namespace {

std::string described(const NetworkEvent& event) {
  std::string text = event.host + ':' + std::to_string(event.port);
  if (event.reason) text.append(" (").append(to_string(*event.reason)).append(")");
  return text;
}

}  // namespace

AgentSession::AgentSession(Translator& translator, EventStream& stream, OutputQueue& error, NetworkFeed& feed,
                           ErrorWatch watch, std::vector<RawFile> raw)
    : translator_(translator),
      stream_(stream),
      error_(error),
      feed_(feed),
      watch_(std::move(watch)),
      raw_(std::move(raw)) {}

void AgentSession::on_output(std::string_view bytes) {
  for (RawFile& file : raw_) {
    if (auto note = file.write(bytes)) stream_.emit(NoteEvent{std::move(*note)});
  }
  splitter_.feed(bytes, [this](std::string_view text) { line(text); });
}

void AgentSession::on_error(std::string_view bytes) {
  watch_.feed(bytes);
  error_.push(bytes);
}

void AgentSession::on_wake() {
  for (EventBody& event : feed_.take()) {
    if (const auto* network = std::get_if<NetworkEvent>(&event); network != nullptr && !network->allowed)
      last_refusal_ = described(*network);
    stream_.emit(std::move(event));
  }
}

void AgentSession::line(std::string_view text) {
  if (stop_reason_) return;
  translator_.line(text, *this);
  emit_all();
}

void AgentSession::emit_all() {
  for (EventBody& event : events_) stream_.emit(std::move(event));
  events_.clear();
}

Verdict AgentSession::finish(const Ending& ending, bool wrapped) {
  splitter_.finish([this](std::string_view text) { line(text); });
  if (splitter_.skipped() > 0) {
    stream_.emit(NoteEvent{std::to_string(splitter_.skipped()) + " lines of output over " +
                           std::to_string(LineSplitter::line_limit >> 20) + " MiB were left out"});
  }
  on_wake();
  const std::string tail = watch_.tail();
  ExitFacts facts = exit_facts(ending, wrapped);
  facts.standard_error_tail = tail;
  facts.last_refusal = last_refusal_;
  Verdict verdict = translator_.finish(facts, *this);
  aggregator_.close(Aggregator::Clock::now(), events_);
  emit_all();
  return verdict;
}

void AgentSession::record(Record&& record) noexcept {
  aggregator_.add(std::move(record), Aggregator::Clock::now(), events_);
}

void AgentSession::stop(std::string reason) noexcept {
  if (stop_reason_) return;
  stop_reason_ = std::move(reason);
  if (supervisor_ != nullptr) supervisor_->kill();
}

ExitFacts exit_facts(const Ending& ending, bool wrapped) noexcept {
  ExitFacts facts{ending.exit_code, ending.signal, {}, {}};
  if (const auto signal = wrapped_signal(ending, wrapped)) {
    facts.exit_code.reset();
    facts.signal = signal;
  }
  return facts;
}

}  // namespace agentrun::host
