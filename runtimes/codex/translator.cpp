#include "translator.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "agentrun/text.hpp"
#include "rollout_file.hpp"
#include "token_counts.hpp"

namespace agentrun::codex {

namespace {

namespace dom = simdjson::dom;
using json::text_member;

constexpr std::size_t detail_limit = 500;  // characters

/// codex says of a connection only that it failed; in front of it may be the filter proxy.
std::string with_refusal(std::string text, std::string_view refusal) {
  if (refusal.empty() || text.find("error sending request") == std::string::npos) return text;
  return text.append("; the proxy refused ").append(refusal);
}

std::string shortened(std::string_view text) { return std::string(first_characters(text, detail_limit)); }

}  // namespace

void CodexTranslator::line(std::string_view line, RecordSink& sink) {
  LineKind kind = line_kind(line);
  if (kind == LineKind::other) return;
  const auto event = json_.parse(line);
  if (!event) return;
  if (kind == LineKind::unclear) kind = kind_of_type(text_member(*event, "type"));

  dom::element part;
  switch (kind) {
    case LineKind::thread_started:
      return thread_started(*event, sink);
    case LineKind::turn_started:
      ++turns_;
      return;
    case LineKind::turn_completed:
      return turn_completed(*event, sink);
    case LineKind::turn_failed:
      turn_failure_.emplace();
      if ((*event)["error"].get(part) == simdjson::SUCCESS) turn_failure_ = shortened(text_member(part, "message"));
      return;
    case LineKind::error:
      error_ = shortened(text_member(*event, "message"));
      return;
    case LineKind::item_started:
    case LineKind::item_completed:
      if ((*event)["item"].get(part) == simdjson::SUCCESS) item(kind, part, sink);
      return;
    case LineKind::other:
    case LineKind::unclear:
      return;
  }
}

void CodexTranslator::thread_started(dom::element event, RecordSink& sink) {
  thread_ = text_member(event, "thread_id");
  if (options_.sandbox_override) {
    sink.record(NoteRecord{"the codex argument '" + *std::exchange(options_.sandbox_override, std::nullopt) +
                           "' replaces the sandbox of this run"});
  }
  if (!options_.resume || thread_ == *options_.resume) return;
  // Some versions answer an id that they do not know with a new thread, which would lack all that was said before.
  mismatch_ = "codex went on with the thread " + shortened(thread_) + ", not with " + *options_.resume;
  sink.stop(mismatch_);
}

void CodexTranslator::item(LineKind kind, dom::element item, RecordSink& sink) {
  std::string id(text_member(item, "id"));
  const bool ended = kind == LineKind::item_completed;
  if (ended && open_.erase(id) != 0) return tool_ended(std::move(id), item, sink);
  if (auto tool = tool_text(item)) {
    sink.record(ToolStartRecord{id, {}, tool->name, tool->summary});
    if (ended) return tool_ended(std::move(id), item, sink);
    open_.insert_or_assign(std::move(id), std::move(*tool));
  } else if (ended && text_member(item, "type") == "agent_message") {
    const std::string_view text = text_member(item, "text");
    if (!text.empty()) sink.record(TextRecord{{}, std::string(text)});
  }
}

void CodexTranslator::tool_ended(std::string id, dom::element item, RecordSink& sink) {
  sink.record(ToolEndRecord{std::move(id), declined(item)});
  if (!sandbox_error_) sandbox_error_ = sandbox_error(item);
}

void CodexTranslator::turn_completed(dom::element event, RecordSink& sink) {
  dom::element usage;
  if (event["usage"].get(usage) == simdjson::SUCCESS) {
    // The numbers are those of the whole thread, with what earlier runs used.
    if (options_.resume && !completed_) {
      const RolloutReader rollout = read_rollout();
      if (!rollout.turns().empty()) counted_ = rollout.turns().front().tokens_before;
    }
    count(token_counts(usage), sink);
  }
  completed_ = true;
}

void CodexTranslator::count(const TokenCounts& total, RecordSink& sink) {
  const TokenCounts tokens = counted_since(total, counted_);
  counted_ = total;
  sink.record(UsageRecord{{}, options_.model.value_or(""), tokens});
}

Verdict CodexTranslator::finish(const ExitFacts& exit, RecordSink& sink) {
  if (!options_.home.empty()) add_what_the_stream_left_out(sink);
  Verdict verdict = this->verdict(exit);
  if (!thread_.empty()) verdict.session = thread_;
  return verdict;
}

RolloutReader CodexTranslator::read_rollout() const {
  RolloutReader rollout(turns_);
  codex::read_rollout(options_.home, thread_, [&](std::string_view line) { rollout.line(line); });
  return rollout;
}

void CodexTranslator::add_what_the_stream_left_out(RecordSink& sink) {
  const RolloutReader rollout = read_rollout();
  if (rollout.turns().empty()) return;
  for (const RolloutTurn& turn : rollout.turns()) {
    add_hidden_calls(turn, sink);
    if (!sandbox_error_) sandbox_error_ = turn.sandbox_error;
  }
  if (completed_) return;
  // A turn that failed or was interrupted used tokens as well, and no line tells them.
  counted_ = rollout.turns().front().tokens_before;
  if (rollout.tokens() != counted_) count(rollout.tokens(), sink);
}

void CodexTranslator::add_hidden_calls(const RolloutTurn& turn, RecordSink& sink) {
  // A command that goes on in the background has its output in the rollout and no end in either.
  std::vector<const ToolText*> begun;
  for (const auto& [id, text] : open_) begun.push_back(&text);
  for (const RolloutCall& call : turn.calls) {
    const auto same = std::ranges::find_if(
        begun, [&](const ToolText* text) { return text->name == call.name && text->summary == call.summary; });
    if (same != begun.end()) {
      begun.erase(same);
      continue;
    }
    sink.record(ToolStartRecord{call.id, {}, call.name, call.summary});
    if (call.ended) sink.record(ToolEndRecord{call.id, call.denied});
  }
}

Verdict CodexTranslator::verdict(const ExitFacts& exit) const {
  const auto failed = [](std::string detail) {
    Verdict verdict;
    verdict.status = Verdict::Status::failed;
    verdict.detail = std::move(detail);
    return verdict;
  };
  if (!mismatch_.empty()) return failed(mismatch_);
  if (options_.sandboxed && sandbox_error_) return failed("sandbox failed to start: " + shortened(*sandbox_error_));
  if (turn_failure_) return failed(with_refusal(*turn_failure_, exit.last_refusal));
  if (error_ && !completed_) return failed(with_refusal(*error_, exit.last_refusal));
  if (exit.exit_code != 0) return failed("");
  if (!completed_) return failed("codex produced no turn.completed");
  return {};
}

}  // namespace agentrun::codex
