#include "listener.hpp"

#include <utility>

#include "client.hpp"

namespace agentrun::proxy {
namespace {

/// Then the connections that are served already have their turn.
constexpr int batch_size = 64;

}  // namespace

Listener::Listener(Loops& loops, Court& court, Stream socket, std::unique_ptr<PeerGuard> guard)
    : loops_(loops), court_(court), socket_(std::move(socket)), guard_(std::move(guard)) {
  loops_.home().add(*this);
}

void Listener::wait() {
  socket_.when(Readiness::readable, [this](bool ready) {
    if (ready && socket_.is_open()) accept();
  });
}

void Listener::accept() {
  for (int i = 0; i < batch_size; ++i) {
    const SocketResult accepted = socket_.accept();
    if (IoResult{0, accepted.error}.would_block()) break;
    if (accepted.error != 0) {
      // Out of descriptors or memory. The client waits in the backlog; trying again at once would only spin.
      loops_.home().limits().accept_pause.start(*this);
      return;
    }
    Descriptor connection(accepted.descriptor);
    if (!guard_ || guard_->admits(connection.get())) serve(std::move(connection));
  }
  wait();
}

void Listener::serve(Descriptor connection) {
  Loop& loop = loops_.for_new_connection();
  if (&loop == &loops_.home()) return Client::start(loop, court_, std::move(connection), socket_.family());
  loop.mailbox()->post([&loop, &court = court_, family = socket_.family(), handed = std::move(connection)]() mutable {
    Client::start(loop, court, std::move(handed), family);
  });
}

void Listener::abandon() { socket_.close(); }

}  // namespace agentrun::proxy
