#pragma once
// Takes connections from one listening socket and starts a client for each.

#include <memory>

#include "judgement.hpp"
#include "loop.hpp"
#include "peer_guard.hpp"
#include "stream.hpp"

namespace agentrun::proxy {

class Listener final : private Loop::Activity, private Deadlines::Entry {
 public:
  /// `guard` null: everyone who can connect may stay. Must go before the loop, after its thread has ended.
  Listener(Loop& loop, Court& court, Stream socket, std::unique_ptr<PeerGuard> guard);
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;
  ~Listener() { cancel_deadline(); }

  /// Before the loop's thread runs, or on it.
  void start() { wait(); }

 private:
  void wait();
  void accept();
  void abandon() override;
  void on_deadline() override { accept(); }

  Loop& loop_;
  Court& court_;
  Stream socket_;
  std::unique_ptr<PeerGuard> guard_;
};

}  // namespace agentrun::proxy
