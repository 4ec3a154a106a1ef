#include <utility>

#include "client.hpp"
#include "socks.hpp"

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
  const Target target = std::move(*request.target);
  std::string behind_request(bytes());

  Verdict verdict = co_await judge(target);
  if (is_abandoned_) co_return std::string();
  if (verdict.refusal) co_return socks_answer(SocksReply::not_allowed);
  if (verdict.addresses.empty()) co_return socks_answer(SocksReply::host_unreachable);

  const int error = co_await connect(verdict.addresses, target.port);
  if (is_abandoned_) co_return std::string();
  if (error != 0) co_return socks_answer(socks_reply_for(error));
  relay({socks_answer(SocksReply::succeeded), std::move(behind_request), std::nullopt});
  co_return std::string();
}

}  // namespace agentrun::proxy
