#include "agentrun/aggregator.hpp"

#include <algorithm>
#include <utility>

#include "agentrun/text.hpp"

namespace agentrun {
namespace {

std::optional<std::string> nonempty(std::string text) {
  if (text.empty()) return std::nullopt;
  return text;
}

/// The keys of `open`, oldest first.
template <class Map>
std::vector<std::string> in_order(const Map& open) {
  std::vector<std::pair<std::uint64_t, std::string>> sorted;
  sorted.reserve(open.size());
  for (const auto& [id, entry] : open) sorted.emplace_back(entry.order, id);
  std::sort(sorted.begin(), sorted.end());
  std::vector<std::string> ids;
  ids.reserve(sorted.size());
  for (auto& [order, id] : sorted) ids.push_back(std::move(id));
  return ids;
}

}  // namespace

class Aggregator::Visitor {
 public:
  Visitor(Aggregator& state, Clock::time_point now, std::vector<EventBody>& out)
      : state_(state), now_(now), out_(out) {}

  void operator()(PromptRecord&& record) {
    if (state_.prompt_seen_) return;
    state_.prompt_seen_ = true;
    out_.emplace_back(PromptEvent{std::move(record.text)});
  }

  void operator()(TextRecord&& record) {
    if (record.parent.empty()) state_.result_ = record.text;
    out_.emplace_back(TextEvent{state_.known_parent(record.parent), std::move(record.text)});
  }

  void operator()(ToolStartRecord&& record) {
    // The call that starts a subagent is no tool.
    if (state_.subagents_.count(record.id) != 0) return;
    OpenCall& call = state_.calls_[record.id];
    if (call.order == 0) call.order = ++state_.order_;
    call.id = std::move(record.id);
    call.parent = state_.known_parent(record.parent);
    call.name = std::move(record.name);
    call.summary = summary_line(record.summary);
  }

  void operator()(ToolDeniedRecord&& record) {
    const auto call = state_.calls_.find(record.id);
    if (call != state_.calls_.end()) call->second.denied = true;
  }

  void operator()(ToolEndRecord&& record) { state_.end_call(record.id, record.denied, out_); }

  void operator()(UsageRecord&& record) {
    state_.usage_.add(record.model, record.tokens);
    const auto subagent = state_.subagents_.find(record.parent);
    if (subagent != state_.subagents_.end()) subagent->second.usage.add(record.model, record.tokens);
    out_.emplace_back(UsageEvent{state_.known_parent(record.parent), nonempty(std::move(record.model)), record.tokens});
  }

  void operator()(SubagentStartRecord&& record) {
    if (state_.subagents_.count(record.id) != 0) return;
    state_.calls_.erase(record.id);
    SubagentStartEvent event;
    event.id = record.id;
    event.parent = state_.known_parent(record.parent);
    event.number = ++state_.subagent_number_;
    event.kind = std::move(record.kind);
    event.model = nonempty(std::move(record.model));
    event.description = std::move(record.description);
    state_.subagents_[std::move(record.id)] = OpenSubagent{event.parent, now_, {}, ++state_.order_};
    out_.emplace_back(std::move(event));
  }

  void operator()(SubagentEndRecord&& record) { state_.end_subagent(record.id, record.failed, now_, out_); }

  void operator()(NoteRecord&& record) { out_.emplace_back(NoteEvent{std::move(record.text)}); }

 private:
  Aggregator& state_;
  Clock::time_point now_;
  std::vector<EventBody>& out_;
};

void Aggregator::add(Record&& record, Clock::time_point now, std::vector<EventBody>& out) {
  std::visit(Visitor(*this, now, out), std::move(record));
}

void Aggregator::close(Clock::time_point now, std::vector<EventBody>& out) {
  for (const std::string& id : in_order(calls_)) end_call(id, false, out);
  // A subagent inside another began later and ends before it.
  const std::vector<std::string> open = in_order(subagents_);
  for (auto id = open.rbegin(); id != open.rend(); ++id) end_subagent(*id, true, now, out);
}

Aggregator::Totals Aggregator::totals() const { return Totals{usage_, result_}; }

std::optional<std::string> Aggregator::known_parent(const std::string& id) const {
  if (id.empty() || subagents_.count(id) == 0) return std::nullopt;
  return id;
}

void Aggregator::end_call(const std::string& id, bool denied, std::vector<EventBody>& out) {
  const auto found = calls_.find(id);
  if (found == calls_.end()) return;
  OpenCall call = std::move(found->second);
  calls_.erase(found);
  out.emplace_back(ToolEvent{std::move(call.id), std::move(call.parent), std::move(call.name), std::move(call.summary),
                             call.denied || denied});
}

void Aggregator::end_subagent(const std::string& id, bool failed, Clock::time_point now, std::vector<EventBody>& out) {
  const auto found = subagents_.find(id);
  if (found == subagents_.end()) return;
  SubagentEndEvent event;
  event.id = id;
  event.failed = failed;
  event.duration = std::chrono::duration_cast<std::chrono::milliseconds>(now - found->second.since);
  event.usage = std::move(found->second.usage);
  subagents_.erase(found);
  out.emplace_back(std::move(event));
}

}  // namespace agentrun
