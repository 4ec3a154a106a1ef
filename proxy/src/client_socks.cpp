#include <utility>

#include "client.hpp"

namespace agentrun::proxy {

// A head that comes late, or not whole, is closed without a word: SOCKS has none for it.

Task<std::string> Client::serve_socks() {
  SocksGreeting greeting = parse_socks_greeting(bytes());
  while (greeting.progress == SocksProgress::need_more) {
    if (const Arrival arrival = co_await more(); arrival != Arrival::bytes) co_return std::string();
    greeting = parse_socks_greeting(bytes());
  }
  if (greeting.progress == SocksProgress::refused) co_return std::string(socks_no_acceptable_method);
  consume(greeting.size);
  // Nothing was sent before, so two bytes always fit.
  if (stream_.send(socks_no_authentication).error != 0) co_return std::string();

  SocksRequest request = parse_socks_request(bytes());
  while (request.progress == SocksProgress::need_more) {
    if (const Arrival arrival = co_await more(); arrival != Arrival::bytes) co_return std::string();
    request = parse_socks_request(bytes());
  }
  cancel_deadline();
  if (request.progress == SocksProgress::refused) co_return socks_answer(request.reply);
  consume(request.size);
  Target target = std::move(*request.target);
  std::string behind_request(bytes());

  const UpstreamServer* const upstream = upstream_for(court_.upstream, Traffic::tunnel, target);
  const Verdict verdict = co_await judge(target, upstream);
  if (is_abandoned_) co_return std::string();
  if (verdict.refusal) co_return socks_answer(SocksReply::not_allowed);

  std::string to_client = socks_answer(SocksReply::succeeded);
  const auto failure = co_await open_tunnel(target, verdict.addresses, upstream, to_client);
  if (is_abandoned_) co_return std::string();
  if (failure) co_return socks_answer(failure->reply);
  co_return relay_tunnel(std::move(target), std::move(to_client), std::move(behind_request));
}

}  // namespace agentrun::proxy
