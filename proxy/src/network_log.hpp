#pragma once
// Tells the observer of each (host, port, allowed) triple once, up to a bound.

#include <mutex>
#include <string>
#include <unordered_set>

#include "agentrun/proxy/proxy.hpp"
#include "target.hpp"

namespace agentrun::proxy {

class NetworkLog {
 public:
  /// Either may be null.
  NetworkLog(NetworkObserver observer, NoteObserver on_note)
      : observer_(std::move(observer)), on_note_(std::move(on_note)) {}

  void allowed(const Target& target);
  void refused(const Target& target, DenyReason reason);

 private:
  /// What has been told of one kind.
  struct Told {
    std::unordered_set<std::string> triples;
    bool is_full = false;
  };
  void tell(Told& told, const NetworkEvent& event);

  NetworkObserver observer_;
  NoteObserver on_note_;
  std::mutex mutex_;
  Told allowed_;
  Told refused_;
};

}  // namespace agentrun::proxy
