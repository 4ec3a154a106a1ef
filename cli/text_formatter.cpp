#include "cli/text_formatter.hpp"

#include <variant>

#include "cli/numbers.hpp"
#include "cli/printable.hpp"

namespace agentrun::cli {

namespace {

std::string label_of(const SubagentStartEvent& event) {
  std::string kind = event.kind.empty() ? "agent" : printable_line(event.kind);
  for (char& letter : kind) {
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
    // The kind is the model's word: "end] finished" must not look like another line.
    if (letter == '[' || letter == ']') letter = '-';
  }
  return kind + '#' + std::to_string(event.number);
}

}  // namespace

/// Writes the lines of one event.
class TextFormatter::Lines {
 public:
  Lines(TextFormatter& formatter, std::string& out) : formatter_(formatter), out_(out) {}

  void operator()(const StartEvent& event) {
    if (event.sandbox != "none") return;
    const std::string why =
        formatter_.missing_reason_ ? "relax: " + printable_line(*formatter_.missing_reason_) : std::string("off");
    line("note", "sandbox not running (--sandbox " + why +
                     "). agentrun does not restrict what the agent writes or which hosts it reaches");
  }

  void operator()(const PromptEvent& event) { line("main", "prompt " + printable_first_line(event.text)); }

  void operator()(const ToolEvent& event) {
    std::string what = "tool " + printable_line(event.name);
    if (!event.summary.empty()) what += ": " + printable_line(event.summary);
    if (event.denied) what += " (denied)";
    line(label(event.parent), what);
  }

  void operator()(const TextEvent& event) { line(label(event.parent), "text " + printable_first_line(event.text)); }

  void operator()(const UsageEvent& event) {
    if (!event.parent || !event.model) return;
    if (const auto agent = formatter_.agents_.find(*event.parent); agent != formatter_.agents_.end()) {
      agent->second.model = event.model;
    }
  }

  void operator()(const SubagentStartEvent& event) {
    const Agent& agent =
        formatter_.agents_.insert_or_assign(event.id, Agent{label_of(event), event.model}).first->second;
    std::string what = "agent start " + agent.label;
    if (event.model) what += " (" + printable_line(*event.model) + ')';
    if (const std::string description = printable_first_line(event.description); !description.empty()) {
      what += ": " + description;
    }
    line(label(event.parent), what);
  }

  void operator()(const SubagentEndEvent& event) {
    std::string what = event.failed ? "agent failed " : "agent finished ";
    what += short_duration(event.duration);
    const auto agent = formatter_.agents_.find(event.id);
    if (agent != formatter_.agents_.end() && agent->second.model) what += "  " + printable_line(*agent->second.model);
    line(label(event.id), what + token_parts(event.usage.total));
  }

  void operator()(const NoteEvent& event) { line("note", printable_line(event.text)); }

  void operator()(const NetworkEvent& event) {
    if (event.allowed) return;
    std::string what = "net denied " + printable_line(event.host) + ':' + std::to_string(event.port);
    if (event.reason) what += " (" + std::string(to_string(*event.reason)) + ')';
    line("main", what);
  }

  void operator()(const EndEvent& event) {
    const std::string detail = printable_line(event.detail);
    if (event.status == RunStatus::rejected) return line("end", "rejected " + detail);
    std::string what = std::string(to_string(event.status)) + ' ' + short_duration(event.duration) +
                       token_parts(event.usage.total) + cached_part(event.usage.total);
    if (!detail.empty()) what += "  " + detail;
    line("end", what);
  }

 private:
  [[nodiscard]] std::string_view label(const std::optional<std::string>& agent) const {
    if (!agent) return "main";
    const auto known = formatter_.agents_.find(*agent);
    return known == formatter_.agents_.end() ? std::string_view("main") : std::string_view(known->second.label);
  }

  void line(std::string_view label, std::string_view what) {
    ((out_ += '[') += label) += "] ";
    (out_ += what) += '\n';
  }

  TextFormatter& formatter_;
  std::string& out_;
};

void TextFormatter::format(const Event& event, std::string& out) { std::visit(Lines(*this, out), event.body); }

}  // namespace agentrun::cli
