#pragma once
// Tells the observer of each (host, port, allowed) triple once.

#include <mutex>
#include <string>
#include <unordered_set>

#include "agentrun/proxy/proxy.hpp"
#include "target.hpp"

namespace agentrun::proxy {

class NetworkLog {
 public:
  explicit NetworkLog(NetworkObserver observer) : observer_(std::move(observer)) {}

  void allowed(const Target& target);
  void refused(const Target& target, DenyReason reason);

 private:
  void note(NetworkEvent event);

  NetworkObserver observer_;
  std::mutex mutex_;
  std::unordered_set<std::string> seen_;
};

}  // namespace agentrun::proxy
