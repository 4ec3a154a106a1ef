#include "network_log.hpp"

#include <utility>

namespace agentrun::proxy {

void NetworkLog::allowed(const Target& target) { tell(allowed_, {target.host.text, target.port, true, std::nullopt}); }

void NetworkLog::refused(const Target& target, DenyReason reason) {
  tell(refused_, {target.host.text, target.port, false, reason});
}

// The observer runs under the lock: when a client gets its answer, the event has been told, whichever thread did it.
void NetworkLog::tell(Told& told, const NetworkEvent& event) {
  std::string triple = event.host + ':' + std::to_string(event.port);
  const std::lock_guard lock(mutex_);
  if (told.triples.size() < max_told_triples) {
    if (told.triples.insert(std::move(triple)).second && observer_) observer_(event);
    return;
  }
  if (told.is_full || told.triples.contains(triple)) return;
  told.is_full = true;
  if (on_note_) {
    on_note_("network events: more than " + std::to_string(max_told_triples) +
             (event.allowed ? " allowed" : " refused") + " hosts and ports; further ones are not told");
  }
}

}  // namespace agentrun::proxy
