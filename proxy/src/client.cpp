#include "client.hpp"

#include <sys/socket.h>

#include <utility>

#include "agentrun/ipv4.hpp"
#include "linger.hpp"
#include "sni_filter.hpp"
#include "upstream_tunnel.hpp"

namespace agentrun::proxy {

void Client::start(Loop& loop, Court& court, Descriptor connection, int family) {
  Stream stream(loop.reactor());
  if (stream.adopt(connection.release(), family) != 0) return;
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

Task<Verdict> Client::judge(const Target& target, const UpstreamServer* upstream) {
  const Ruling ruling = court_.policy.judge(target.host.text, target.host.form, target.port);
  if (ruling == Ruling::allowed) court_.log.allowed(target);
  Addresses addresses;
  // An upstream proxy resolves names itself; here only what has to be checked.
  const bool needs_addresses =
      upstream == nullptr ? ruling != Ruling::not_allowed : ruling == Ruling::allowed_if_public;
  if (needs_addresses) addresses = co_await resolve(target.host);
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

Task<std::optional<Client::Failure>> Client::connect(const Target& target, const Addresses& addresses) {
  if (addresses.empty()) co_return Failure{std::string(not_resolved), SocksReply::host_unreachable};
  const int error = co_await dialer_.dial(addresses, target.port);
  if (error == 0) co_return std::nullopt;
  co_return Failure{connection_failed(error), socks_reply_for(error)};
}

Task<std::optional<Client::Failure>> Client::connect(const UpstreamServer& upstream) {
  const Addresses addresses = co_await resolve(upstream.host);
  if (addresses.empty()) co_return Failure{upstream_not_resolved()};
  const int error = co_await dialer_.dial(addresses, upstream.port);
  if (error == 0) co_return std::nullopt;
  co_return Failure{upstream_connection_failed(error)};
}

Task<std::optional<Client::Failure>> Client::open_tunnel(const Target& target, const Addresses& addresses,
                                                         const UpstreamServer* upstream, std::string& early) {
  if (upstream == nullptr) co_return co_await connect(target, addresses);
  if (auto failure = co_await connect(*upstream)) co_return failure;
  UpstreamTunnel tunnel(loop_, dialer_.stream());
  std::string cause = co_await tunnel.open(*upstream, target);
  early.append(tunnel.take_early());
  if (cause.empty()) co_return std::nullopt;
  co_return Failure{std::move(cause)};
}

std::string Client::relay_tunnel(Target target, std::string to_client, std::string early) {
  RelayTerms terms{std::move(to_client), std::move(early), std::nullopt, nullptr};
  if (court_.check_sni != SniCheck::off) {
    terms.upload_filter = std::make_unique<SniFilter>(court_.check_sni, std::move(target), court_.log);
    std::string checked;
    const FlowFilter::Progress progress = terms.upload_filter->feed(terms.to_upstream, checked);
    if (progress == FlowFilter::Progress::refused) return terms.to_client.append(terms.upload_filter->last_words());
    if (progress == FlowFilter::Progress::passed) terms.upload_filter.reset();
    terms.to_upstream = std::move(checked);
  }
  relay(std::move(terms));
  return {};
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
