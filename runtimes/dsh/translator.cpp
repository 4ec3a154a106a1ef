#include "translator.hpp"

#include <charconv>
#include <optional>
#include <utility>

#include "agentrun/text.hpp"
#include "env_file.hpp"
#include "message.hpp"
#include "summary.hpp"

namespace agentrun::dsh {

namespace {

namespace dom = simdjson::dom;
using json::text_member;

/// The tools whose call is a subagent.
bool delegates(std::string_view tool) { return tool == "subagent" || tool == "subagent_fork"; }

bool is_error(dom::element message) {
  dom::array parts;
  if (message["content"].get(parts) != simdjson::SUCCESS) return false;
  for (const dom::element part : parts) {
    bool error = false;
    if (part["isError"].get(error) == simdjson::SUCCESS && error) return true;
  }
  return false;
}

/// The version that node writes behind the error that ended it, when dsh cannot run on it.
std::optional<std::string> old_node(std::string_view standard_error) {
  constexpr std::string_view label = "\nNode.js v";
  constexpr int oldest = 22;
  const std::size_t found = standard_error.rfind(label);
  if (found == std::string_view::npos) return std::nullopt;
  const std::string_view version = first_line(standard_error.substr(found + label.size()));
  int major = oldest;
  std::from_chars(version.data(), version.data() + version.size(), major);
  if (major >= oldest) return std::nullopt;
  return "v" + std::string(version);
}

}  // namespace

DshTranslator::DshTranslator(std::filesystem::path cwd) : cwd_(std::move(cwd)) {}

void DshTranslator::line(std::string_view line, RecordSink& sink) {
  EventKind kind = event_kind(line);
  if (kind == EventKind::other) return;
  const auto parsed = json_.parse(line);
  if (!parsed) return;
  if (kind == EventKind::unclear) kind = kind_of_type(text_member(*parsed, "type"));
  dom::element data;
  if ((*parsed)["data"].get(data) == simdjson::SUCCESS) event(kind, text_member(*parsed, "session"), data, sink);
}

void DshTranslator::event(EventKind kind, std::string_view session, dom::element data, RecordSink& sink) {
  dom::element inner;
  switch (kind) {
    case EventKind::session_created:
      began_ = true;
      delegations_.created(session, text_member(data, "parentSession"));
      return;
    case EventKind::user_message:
      return user_message(session, data, sink);
    case EventKind::assistant_message:
      return assistant_message(session, data, sink);
    case EventKind::tool_call:
      return tool_call(session, data, sink);
    case EventKind::tool_result:
      if (data["message"].get(inner) == simdjson::SUCCESS) tool_result(session, inner, sink);
      return;
    case EventKind::turn_end:
      return turn_end(session, data, sink);
    case EventKind::result:
      if (data["reason"].get(inner) == simdjson::SUCCESS) end_ = read_turn_end(inner);
      return;
    case EventKind::other:
    case EventKind::unclear:
      return;
  }
}

void DshTranslator::user_message(std::string_view session, dom::element message, RecordSink& sink) {
  if (source_kind(message) != "user") return;
  std::string text = message_text(message);
  if (delegations_.is_main(session)) {
    sink.record(PromptRecord{std::move(text)});
  } else if (delegations_.begins_alone(session, text)) {
    sink.record(SubagentStartRecord{std::string(session),
                                    std::string(delegations_.parent_of(session)),
                                    "subagent",
                                    {},
                                    std::string(first_line(text))});
  }
}

void DshTranslator::assistant_message(std::string_view session, dom::element data, RecordSink& sink) {
  dom::element message;
  if (data["message"].get(message) != simdjson::SUCCESS) return;
  const std::string parent(delegations_.subagent_of(session));
  std::string text = message_text(message);
  if (!text.empty()) sink.record(TextRecord{parent, std::move(text)});
  sink.record(UsageRecord{parent, message_model(message), message_usage(data)});
}

void DshTranslator::tool_call(std::string_view session, dom::element call, RecordSink& sink) {
  const std::string_view name = text_member(call, "name");
  std::string id(text_member(call, "callId"));
  if (id.empty()) return;
  std::string parent(delegations_.subagent_of(session));
  // The model wrote them: they may be anything.
  const auto arguments = parse_arguments(text_member(call, "arguments"));
  if (delegates(name) && arguments) {
    return delegate(session, {std::move(id), std::move(parent), std::string(name), {}, {}}, *arguments, sink);
  }
  sink.record(ToolStartRecord{std::move(id), std::move(parent), std::string(name),
                              arguments ? tool_summary(name, *arguments) : std::string()});
}

std::optional<dom::element> DshTranslator::parse_arguments(std::string_view text) {
  padded_.assign(text).append(line_padding, ' ');
  return arguments_.parse(std::string_view(padded_).substr(0, text.size()));
}

void DshTranslator::delegate(std::string_view session, SubagentStartRecord&& record, dom::element arguments,
                             RecordSink& sink) {
  delegations_.called(session, record.id, text_member(arguments, "prompt"));
  record.description = first_line(text_member(arguments, "description"));
  sink.record(std::move(record));
}

void DshTranslator::tool_result(std::string_view session, dom::element message, RecordSink& sink) {
  dom::element source;
  if (message["source"].get(source) != simdjson::SUCCESS) return;
  std::string id(text_member(source, "callId"));
  if (delegations_.ended(session, id)) {
    sink.record(SubagentEndRecord{std::move(id), is_error(message)});
  } else {
    sink.record(ToolEndRecord{std::move(id)});
  }
}

void DshTranslator::turn_end(std::string_view session, dom::element data, RecordSink& sink) {
  dom::element reason;
  if (data["reason"].get(reason) != simdjson::SUCCESS || !delegations_.ended(session)) return;
  sink.record(SubagentEndRecord{std::string(session), text_member(reason, "kind") != "completed"});
}

Verdict DshTranslator::finish(const ExitFacts& exit, RecordSink&) {
  Verdict verdict = verdict_of(end_, exit);
  if (verdict.status != Verdict::Status::failed || began_) return verdict;
  if (const auto version = old_node(exit.standard_error_tail)) {
    verdict.detail = "dsh needs Node.js 22 or newer first on PATH, and found " + *version +
                     ". Use --path with the directory of a newer one";
  } else if (const auto variable = refused_variable(cwd_ / ".env")) {
    verdict.detail = "dsh does not start where .env sets " + *variable + ": it takes that from its environment only. " +
                     "Remove the line from " + (cwd_ / ".env").string() + ", or use --cwd with another directory";
  }
  return verdict;
}

}  // namespace agentrun::dsh
