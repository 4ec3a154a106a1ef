#include "delegations.hpp"

#include <algorithm>

namespace agentrun::dsh {

void Delegations::created(std::string_view session, std::string_view parent) {
  sessions_.try_emplace(std::string(session), Session{std::string(parent), {}, false});
}

void Delegations::called(std::string_view session, std::string_view call, std::string_view prompt) {
  calls_.emplace(std::string(session), Call{{}, std::string(call), std::string(prompt), false});
}

bool Delegations::begins_alone(std::string_view session, std::string_view prompt) {
  const auto found = sessions_.find(session);
  if (found == sessions_.end() || found->second.parent.empty() || !found->second.subagent.empty()) return false;
  Session& subagent = found->second;
  const auto [first, last] = calls_.equal_range(subagent.parent);
  const auto call = std::find_if(
      first, last, [&](const auto& candidate) { return !candidate.second.taken && candidate.second.prompt == prompt; });
  subagent.by_call = call != last;
  subagent.subagent = subagent.by_call ? call->second.id : found->first;
  if (!subagent.by_call) return true;
  call->second.taken = true;
  call->second.session = found->first;
  return false;
}

bool Delegations::ended(std::string_view session, std::string_view call) {
  const auto [first, last] = calls_.equal_range(session);
  const auto found = std::find_if(first, last, [&](const auto& candidate) { return candidate.second.id == call; });
  if (found == last) return false;
  sessions_.erase(found->second.session);
  calls_.erase(found);
  return true;
}

bool Delegations::ended(std::string_view session) {
  const auto found = sessions_.find(session);
  if (found == sessions_.end() || found->second.subagent.empty() || found->second.by_call) return false;
  sessions_.erase(found);
  return true;
}

std::string_view Delegations::subagent_of(std::string_view session) const {
  const auto found = sessions_.find(session);
  return found == sessions_.end() ? std::string_view() : found->second.subagent;
}

std::string_view Delegations::parent_of(std::string_view session) const {
  const auto found = sessions_.find(session);
  return found == sessions_.end() ? std::string_view() : subagent_of(found->second.parent);
}

bool Delegations::is_main(std::string_view session) const {
  const auto found = sessions_.find(session);
  return found != sessions_.end() && found->second.parent.empty();
}

}  // namespace agentrun::dsh
