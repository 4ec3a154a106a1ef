#pragma once
// Takes connections from one listening socket and starts a client for each.

#include <memory>

#include "descriptor.hpp"
#include "judgement.hpp"
#include "loops.hpp"
#include "peer_guard.hpp"
#include "stream.hpp"

namespace agentrun::proxy {

class Listener final : private Loop::Activity, private Deadlines::Entry {
 public:
  /// Runs on the home loop. `guard` null: everyone who can connect may stay. Must go before the loops, after their
  /// threads have ended.
  Listener(Loops& loops, Court& court, Stream socket, std::unique_ptr<PeerGuard> guard);
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;
  ~Listener() { cancel_deadline(); }

  /// Before the loop's thread runs, or on it.
  void start() { wait(); }

 private:
  void wait();
  void accept();
  void serve(Descriptor connection);
  void abandon() override;
  void on_deadline() override { accept(); }

  Loops& loops_;
  Court& court_;
  Stream socket_;
  std::unique_ptr<PeerGuard> guard_;
};

}  // namespace agentrun::proxy
