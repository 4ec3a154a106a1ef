#include "translator.hpp"

#include <utility>

#include "agentrun/text.hpp"
#include "arguments.hpp"
#include "message.hpp"
#include "summary.hpp"

namespace agentrun::pi {

namespace {

namespace dom = simdjson::dom;

constexpr std::size_t detail_limit = 500;  // characters

Verdict failed(std::string detail) {
  Verdict verdict;
  verdict.status = Verdict::Status::failed;
  verdict.detail = std::move(detail);
  return verdict;
}

}  // namespace

PiTranslator::PiTranslator(std::optional<std::string> model) : asked_(std::move(model)) {}

void PiTranslator::line(std::string_view line, RecordSink& sink) {
  LineKind kind = line_kind(line);
  if (kind == LineKind::other || (kind == LineKind::assistant_begins && !asked_)) return;
  const auto event = json_.parse(line);
  if (!event) return;
  if (kind == LineKind::unclear) kind = kind_of_type(json::text_member(*event, "type"));

  dom::element message;
  switch (kind) {
    case LineKind::assistant_begins:
    case LineKind::message_ends: {
      if ((*event)["message"].get(message) != simdjson::SUCCESS) return;
      const std::string_view role = json::text_member(message, "role");
      if (role == "assistant") {
        kind == LineKind::message_ends ? assistant_ends(message, sink) : assistant_begins(message, sink);
      } else if (role == "user" && kind == LineKind::message_ends) {
        user_ends(message, sink);
      }
      return;
    }
    case LineKind::tool_begins:
      return tool_begins(*event, sink);
    case LineKind::tool_ends:
      return tool_ends(*event, sink);
    case LineKind::settled:
      settled_ = true;
      return;
    case LineKind::other:
    case LineKind::unclear:
      return;
  }
}

void PiTranslator::assistant_begins(dom::element message, RecordSink& sink) {
  if (!asked_) return;
  const std::string asked = std::exchange(asked_, std::nullopt).value_or("");
  const std::string used = message_model(message);
  if (used == asked || used == without_thinking_level(asked)) return;
  mismatch_ = "pi uses " + used + ", which does not match --model " + asked;
  sink.stop(mismatch_);
}

void PiTranslator::user_ends(dom::element message, RecordSink& sink) {
  sink.record(PromptRecord{message_text(message)});
}

void PiTranslator::assistant_ends(dom::element message, RecordSink& sink) {
  answered_ = true;
  failure_.clear();
  const std::string_view stop = json::text_member(message, "stopReason");
  if (stop == "error" || stop == "aborted") {
    failure_ = first_characters(json::text_member(message, "errorMessage"), detail_limit);
    if (failure_.empty()) failure_ = "stopReason: " + std::string(stop);
  }
  std::string text = message_text(message);
  if (!text.empty()) sink.record(TextRecord{{}, std::move(text)});
  const TokenCounts usage = message_usage(message);
  // A failed call without tokens is a retry or never reached the model.
  if (failure_.empty() || usage != TokenCounts{}) sink.record(UsageRecord{{}, message_model(message), usage});
}

void PiTranslator::tool_begins(dom::element event, RecordSink& sink) {
  ToolStartRecord record;
  record.id = json::text_member(event, "toolCallId");
  record.name = json::text_member(event, "toolName");
  dom::element arguments;
  if (event["args"].get(arguments) == simdjson::SUCCESS) record.summary = tool_summary(record.name, arguments);
  sink.record(std::move(record));
}

void PiTranslator::tool_ends(dom::element event, RecordSink& sink) {
  sink.record(ToolEndRecord{std::string(json::text_member(event, "toolCallId"))});
}

Verdict PiTranslator::finish(const ExitFacts& exit, RecordSink&) {
  if (!mismatch_.empty()) return failed(mismatch_);
  if (exit.exit_code != 0) return failed("");
  if (!failure_.empty()) return failed(failure_);
  if (!answered_) return failed("pi produced no model reply");
  // pi exits with 0 when its output breaks off, too.
  if (!settled_) return failed("pi's output ended before agent_settled");
  return {};
}

}  // namespace agentrun::pi
