#include "client.hpp"

#include <sys/socket.h>

#include <utility>

#include "agentrun/ipv4.hpp"
#include "linger.hpp"
#include "socks.hpp"

namespace agentrun::proxy {

void Client::start(Loop& loop, Court& court, Descriptor connection) {
  Stream stream(loop.context());
  // The family makes no difference to waiting, reading and writing.
  if (stream.adopt(connection.release(), AF_INET) != 0) return;
  serve(std::make_unique<Client>(loop, court, std::move(stream)));
}

Client::Client(Loop& loop, Court& court, Stream stream)
    : loop_(loop), court_(court), stream_(std::move(stream)), dialer_(loop) {
  loop_.add(*this);
}

Detached Client::serve(std::unique_ptr<Client> self) {
  self->loop_.limits().head.start(*self);
  std::string last_words;
  switch (co_await self->more()) {
    case Arrival::bytes:
      if (self->bytes().front() == socks_version) {
        last_words = co_await self->serve_socks();
      } else {
        last_words = co_await self->serve_http();
      }
      break;
    case Arrival::timed_out:
      last_words = head_timeout_answer(Body::with);
      break;
    case Arrival::ended:
    case Arrival::gone:
      break;
  }
  if (!last_words.empty() && !self->is_abandoned_) linger(self->loop_, std::move(self->stream_), std::move(last_words));
}

Task<Client::Arrival> Client::more() {
  if (bytes_.data() != held_.data() || bytes_.size() != held_.size()) held_ = std::string(bytes_);
  for (;;) {
    const IoResult result = stream_.receive(loop_.scratch(), Loop::scratch_size);
    if (result.count > 0) {
      const std::string_view received(loop_.scratch(), result.count);
      bytes_ = held_.empty() ? received : std::string_view(held_.append(received));
      co_return Arrival::bytes;
    }
    if (result.error == 0) co_return Arrival::ended;
    if (!result.would_block()) co_return Arrival::gone;
    bytes_ = held_;
    const bool is_ready = co_await stream_.ready(Readiness::readable);
    if (is_late_) co_return Arrival::timed_out;
    if (!is_ready || is_abandoned_) co_return Arrival::gone;
  }
}

Task<Verdict> Client::judge(const Target& target) {
  const Ruling ruling = court_.policy.judge(target.host.text, target.host.form, target.port);
  if (ruling == Ruling::allowed) court_.log.allowed(target);
  Addresses addresses;
  if (ruling != Ruling::not_allowed) addresses = co_await resolve(target.host);
  Verdict verdict = conclude(ruling, std::move(addresses));
  if (!is_abandoned_) {
    if (verdict.refusal) {
      court_.log.refused(target, *verdict.refusal);
    } else if (ruling == Ruling::allowed_if_public) {
      court_.log.allowed(target);
    }
  }
  co_return verdict;
}

Task<Addresses> Client::resolve(const HostName& host) {
  Addresses addresses;
  if (host.form == HostForm::ipv4) {
    if (const auto address = parse_ipv4(host.text)) addresses.push_back(*address);
  } else {
    lookup_ = std::make_shared<Lookup>();
    addresses = co_await lookup_->start(*court_.resolver, host.text, loop_.mailbox());
    lookup_.reset();
  }
  co_return addresses;
}

void Client::abandon() {
  is_abandoned_ = true;
  dialer_.cancel();
  if (stream_.is_open()) stream_.cancel();
  if (const auto lookup = lookup_) lookup->cancel();
}

void Client::on_deadline() {
  is_late_ = true;
  stream_.cancel();
}

}  // namespace agentrun::proxy
