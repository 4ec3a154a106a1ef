#include "translator.hpp"

#include <string>
#include <utility>

#include "agentrun/text.hpp"

namespace agentrun::demo {

namespace {

std::string_view text_member(simdjson::dom::element object, std::string_view key) {
  std::string_view text;
  if (object[key].get(text) != simdjson::SUCCESS) return {};
  return text;
}

}  // namespace

void DemoTranslator::line(std::string_view line, RecordSink& sink) {
  simdjson::dom::element event;
  if (parser_.parse(line.data(), line.size(), false).get(event) != simdjson::SUCCESS) return;
  const std::string_view type = text_member(event, "type");
  if (type == "prompt") {
    sink.record(PromptRecord{std::string(text_member(event, "text"))});
  } else if (type == "text") {
    sink.record(TextRecord{{}, std::string(text_member(event, "text"))});
  } else if (type == "call") {
    ToolStartRecord step;
    step.id = text_member(event, "id");
    step.name = text_member(event, "tool");
    step.summary = text_member(event, "about");
    step_ = step;
    sink.record(std::move(step));
  } else if (type == "result" && step_ && step_->id == text_member(event, "id")) {
    ToolEndRecord end{step_->id};
    // How it went is known only now: a second start with the same id replaces what the first one said.
    step_->summary = summary_line(step_->summary, 80) + ": " + std::string(text_member(event, "detail"));
    sink.record(std::move(*std::exchange(step_, std::nullopt)));
    sink.record(std::move(end));
  }
}

Verdict DemoTranslator::finish(const ExitFacts& exit, RecordSink&) {
  Verdict verdict;
  if (exit.exit_code != 0) verdict.status = Verdict::Status::failed;
  return verdict;
}

}  // namespace agentrun::demo
