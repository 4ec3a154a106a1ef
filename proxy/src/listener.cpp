#include "listener.hpp"

#include <unistd.h>

#include <utility>

#include "client.hpp"

namespace agentrun::proxy {
namespace {

/// Then the connections that are served already have their turn.
constexpr int batch_size = 64;

}  // namespace

Listener::Listener(Loop& loop, Court& court, Stream socket, std::unique_ptr<PeerGuard> guard)
    : loop_(loop), court_(court), socket_(std::move(socket)), guard_(std::move(guard)) {
  loop_.add(*this);
}

void Listener::wait() {
  socket_.when(Readiness::readable, [this](bool ready) {
    if (ready && socket_.is_open()) accept();
  });
}

void Listener::accept() {
  for (int i = 0; i < batch_size; ++i) {
    const SocketResult accepted = accept_from(socket_.descriptor());
    if (IoResult{0, accepted.error}.would_block()) break;
    if (accepted.error != 0) {
      // Out of descriptors or memory. The client waits in the backlog; trying again at once would only spin.
      loop_.limits().accept_pause.start(*this);
      return;
    }
    if (guard_ && !guard_->admits(accepted.descriptor)) {
      ::close(accepted.descriptor);
      continue;
    }
    Stream stream(loop_.context());
    if (stream.adopt(accepted.descriptor, AF_INET) == 0) Client::start(loop_, court_, std::move(stream));
  }
  wait();
}

void Listener::abandon() { socket_.close(); }

}  // namespace agentrun::proxy
