#include "agentrun/event.hpp"

namespace agentrun {

std::string_view to_string(RunStatus status) noexcept {
  switch (status) {
    case RunStatus::finished:
      return "finished";
    case RunStatus::failed:
      return "failed";
    case RunStatus::rejected:
      return "rejected";
    case RunStatus::timeout:
      return "timeout";
    case RunStatus::limit:
      return "limit";
    case RunStatus::interrupted:
      return "interrupted";
  }
  return "failed";
}

namespace {

struct TypeName {
  std::string_view operator()(const StartEvent&) const noexcept { return "start"; }
  std::string_view operator()(const PromptEvent&) const noexcept { return "prompt"; }
  std::string_view operator()(const ToolEvent&) const noexcept { return "tool"; }
  std::string_view operator()(const TextEvent&) const noexcept { return "text"; }
  std::string_view operator()(const UsageEvent&) const noexcept { return "usage"; }
  std::string_view operator()(const SubagentStartEvent&) const noexcept { return "subagent_start"; }
  std::string_view operator()(const SubagentEndEvent&) const noexcept { return "subagent_end"; }
  std::string_view operator()(const NoteEvent&) const noexcept { return "note"; }
  std::string_view operator()(const NetworkEvent&) const noexcept { return "network"; }
  std::string_view operator()(const EndEvent&) const noexcept { return "end"; }
};

}  // namespace

std::string_view event_type(const EventBody& body) noexcept { return std::visit(TypeName{}, body); }

}  // namespace agentrun
