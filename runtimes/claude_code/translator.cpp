#include "translator.hpp"

#include <utility>

#include "agentrun/text.hpp"
#include "line_kind.hpp"
#include "summary.hpp"

namespace agentrun::claude_code {

namespace {

namespace dom = simdjson::dom;
using json::text_member;

/// "Task" is the name that permission rules know, "Agent" the tool's newer one.
bool starts_subagents(std::string_view tool) { return tool == "Task" || tool == "Agent"; }

/// A prompt is a text, or blocks when there are images with it.
std::string prompt_text(dom::element content) {
  std::string_view whole;
  if (content.get(whole) == simdjson::SUCCESS) return std::string(whole);
  std::string text;
  dom::array blocks;
  if (content.get(blocks) != simdjson::SUCCESS) return text;
  for (const dom::element block : blocks) {
    if (text_member(block, "type") != "text") continue;
    if (!text.empty()) text.push_back('\n');
    text.append(text_member(block, "text"));
  }
  return text;
}

Verdict failed(std::string detail) {
  Verdict verdict;
  verdict.status = Verdict::Status::failed;
  verdict.detail = std::move(detail);
  return verdict;
}

}  // namespace

ClaudeTranslator::ClaudeTranslator(TranslatorOptions options)
    : options_(std::move(options)), offers_subagents_(options_.subagents) {}

void ClaudeTranslator::line(std::string_view line, RecordSink& sink) {
  LineKind kind = line_kind(line);
  if (kind == LineKind::other) return;
  const auto parsed = json_.parse(line);
  if (!parsed) return;
  if (kind == LineKind::unclear) kind = kind_of_type(text_member(*parsed, "type"), text_member(*parsed, "subtype"));

  switch (kind) {
    case LineKind::init:
      return init(*parsed, sink);
    case LineKind::user:
      return user(*parsed, sink);
    case LineKind::assistant:
      return assistant(*parsed, sink);
    case LineKind::permission_denied:
      return sink.record(ToolDeniedRecord{std::string(text_member(*parsed, "tool_use_id"))});
    case LineKind::task_notification:
      return subagent_ends(std::string(text_member(*parsed, "tool_use_id")),
                           text_member(*parsed, "status") != "completed", sink);
    case LineKind::result:
      result_ = LastResult::from(*parsed);
      return;
    case LineKind::other:
    case LineKind::unclear:
      return;
  }
}

void ClaudeTranslator::init(dom::element line, RecordSink& sink) {
  session_ = text_member(line, "session_id");
  dom::array tools;
  if (line["tools"].get(tools) != simdjson::SUCCESS) return;
  offers_subagents_ = false;
  for (const dom::element tool : tools) {
    std::string_view name;
    if (tool.get(name) == simdjson::SUCCESS && starts_subagents(name)) offers_subagents_ = true;
  }
  if (!offers_subagents_ || options_.subagents || std::exchange(noted_subagents_, true)) return;
  sink.record(NoteRecord{"claude offers its tool for subagents in spite of --no-subagents"});
}

void ClaudeTranslator::user(dom::element line, RecordSink& sink) {
  dom::element content;
  if (line["message"]["content"].get(content) != simdjson::SUCCESS) return;
  bool replayed = false;
  if (line["isReplay"].get(replayed) == simdjson::SUCCESS && replayed) {
    // Later ones are reports of subagents.
    if (!std::exchange(prompt_seen_, true)) sink.record(PromptRecord{prompt_text(content)});
    return;
  }
  dom::array blocks;
  if (content.get(blocks) != simdjson::SUCCESS) return;
  for (const dom::element block : blocks) {
    if (const auto result = tool_result(block)) call_ends(*result, is_rejected(line, result->id), sink);
  }
}

void ClaudeTranslator::assistant(dom::element line, RecordSink& sink) {
  dom::element message;
  if (line["message"].get(message) != simdjson::SUCCESS) return;
  const std::string_view parent = text_member(line, "parent_tool_use_id");
  const std::string_view model = text_member(message, "model");
  dom::element usage;
  // A synthetic message is claude's own text: no model was asked.
  if (model != "<synthetic>" && message["usage"].get(usage) == simdjson::SUCCESS && usage.is_object()) {
    usage_.add(parent, text_member(message, "id"), model, usage, sink);
  }
  dom::array blocks;
  if (message["content"].get(blocks) != simdjson::SUCCESS) return;
  for (const dom::element block : blocks) {
    const std::string_view type = text_member(block, "type");
    if (type == "text") {
      const std::string_view text = text_member(block, "text");
      if (!text.empty()) sink.record(TextRecord{std::string(parent), std::string(text)});
    } else if (type == "tool_use") {
      call(block, parent, sink);
    }
  }
}

void ClaudeTranslator::call(dom::element block, std::string_view parent, RecordSink& sink) {
  const std::string_view id = text_member(block, "id");
  const std::string_view name = text_member(block, "name");
  // A subagent's report to who started it.
  if (name == "SubagentHandback") return;
  dom::element input = block;
  if (block["input"].get(input) != simdjson::SUCCESS) input = block;
  // A model may call for one where there is none to be had: an ordinary call that fails.
  if (!starts_subagents(name) || !offers_subagents_) {
    if (name == "Bash") open_.emplace(id, CallKind::bash);
    return sink.record(ToolStartRecord{std::string(id), std::string(parent), std::string(name),
                                       tool_summary(name, input, options_.cwd.native())});
  }
  open_.emplace(id, CallKind::subagent);
  std::string kind(text_member(input, "subagent_type"));
  if (kind.empty()) kind = "general-purpose";
  sink.record(SubagentStartRecord{std::string(id), std::string(parent), std::move(kind),
                                  std::string(text_member(input, "model")),
                                  std::string(first_line(text_member(input, "description")))});
}

void ClaudeTranslator::call_ends(const ToolResult& result, bool rejected, RecordSink& sink) {
  const auto found = open_.find(result.id);
  if (found != open_.end() && found->second == CallKind::subagent) {
    if (!result.is_error && is_background_launch(result.text)) return;
    return subagent_ends(std::string(result.id), result.is_error, sink);
  }
  const bool bash = found != open_.end();
  if (bash) {
    open_.erase(found);
    // Every command fails so when the sandbox does; one that ran shows that it does not.
    if (options_.sandboxed && !rejected) {
      sandbox_failure_ = result.is_error ? sandbox_failure(result.text) : std::string_view();
    }
  }
  // What a command prints is no refusal.
  sink.record(ToolEndRecord{std::string(result.id), rejected || (!bash && is_refusal_text(result.text))});
}

void ClaudeTranslator::subagent_ends(const std::string& id, bool failed, RecordSink& sink) {
  const auto found = open_.find(id);
  // Commands in the background are told of in the same way.
  if (found == open_.end() || found->second != CallKind::subagent) return;
  open_.erase(found);
  usage_.end(id, sink);
  sink.record(SubagentEndRecord{id, failed});
}

Verdict ClaudeTranslator::finish(const ExitFacts& exit, RecordSink& sink) {
  usage_.end_all(sink);
  Verdict told = verdict(exit);
  if (result_) told.usage = result_->usage;
  if (options_.keeps_session && !session_.empty()) told.session = session_;
  return told;
}

Verdict ClaudeTranslator::verdict(const ExitFacts& exit) const {
  if (result_ && result_->turn_limit) {
    Verdict limit;
    limit.status = Verdict::Status::limit;
    return limit;
  }
  if (!sandbox_failure_.empty()) return failed("sandbox failed to start: " + sandbox_failure_);
  if (result_ && result_->is_error) return failed(result_->error);
  // Standard error tells more, where it tells anything.
  if (exit.exit_code != 0 && (result_ || !exit.exit_code || !exit.standard_error_tail.empty())) return failed({});
  if (!result_)
    return failed("runtime exited with code " + std::to_string(*exit.exit_code) + " without a result event");
  return {};
}

}  // namespace agentrun::claude_code
