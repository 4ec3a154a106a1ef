#include "network_log.hpp"

#include <utility>

namespace agentrun::proxy {

void NetworkLog::allowed(const Target& target) { note({target.host.text, target.port, true, std::nullopt}); }

void NetworkLog::refused(const Target& target, DenyReason reason) {
  note({target.host.text, target.port, false, reason});
}

// The observer runs under the lock: when a client gets its answer, the event has been told, whichever thread did it.
void NetworkLog::note(NetworkEvent event) {
  std::string key = event.host + ':' + std::to_string(event.port) + (event.allowed ? '+' : '-');
  const std::lock_guard lock(mutex_);
  if (seen_.insert(std::move(key)).second && observer_) observer_(event);
}

}  // namespace agentrun::proxy
