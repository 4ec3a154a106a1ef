#include <algorithm>
#include <utility>

#include "client.hpp"
#include "http_request.hpp"
#include "malformed.hpp"
#include "request_head.hpp"

namespace agentrun::proxy {

Task<std::string> Client::serve_http() {
  RequestHeadParser parser;
  const auto body_kind = [&] { return parser.is_head_method(bytes()) ? Body::without : Body::with; };
  for (;;) {
    const HeadProgress progress = parser.feed(bytes());
    if (progress == HeadProgress::complete) break;
    if (progress == HeadProgress::malformed) co_return malformed_answer(parser.problem(), body_kind());
    if (progress == HeadProgress::too_large) co_return head_too_large_answer(body_kind());
    const Arrival arrival = co_await more();
    if (arrival == Arrival::timed_out) co_return head_timeout_answer(body_kind());
    if (arrival == Arrival::ended) co_return malformed_answer(malformed::cut_short, body_kind());
    if (arrival == Arrival::gone) co_return std::string();
  }
  cancel_deadline();

  const RequestHead head = parser.head(bytes());
  tl::expected<HttpRequest, std::string_view> request = interpret(head);
  if (!request) co_return malformed_answer(request.error(), body_kind());
  consume(head.size);
  const Body body = request->is_head_method ? Body::without : Body::with;
  const Target& target = request->target;
  std::string behind_head(bytes());

  const Traffic traffic = request->forward ? Traffic::plain : Traffic::tunnel;
  const UpstreamServer* const upstream = upstream_for(court_.upstream, traffic, target);
  const Verdict verdict = co_await judge(target, upstream);
  if (is_abandoned_) co_return std::string();
  if (verdict.refusal) co_return refused_answer(target, *verdict.refusal, body);
  if (request->forward && request->forward->has_transfer_encoding) co_return length_required_answer(body);

  std::string to_client;
  std::optional<Failure> failure;
  if (!request->forward) {
    to_client = tunnel_established;
    failure = co_await open_tunnel(target, verdict.addresses, upstream, to_client);
  } else if (upstream != nullptr) {
    failure = co_await connect(*upstream);
  } else {
    failure = co_await connect(target, verdict.addresses);
  }
  if (is_abandoned_) co_return std::string();
  if (failure) co_return failed_answer(target, failure->cause, body);

  if (!request->forward)
    co_return relay_tunnel(std::move(request->target), std::move(to_client), std::move(behind_head));
  Forward& forward = *request->forward;
  if (upstream != nullptr) forward.head = head_for_upstream(forward, target, upstream->authorization);
  const std::size_t present = std::min<std::uint64_t>(behind_head.size(), forward.content_length);
  forward.head.append(behind_head, 0, present);
  relay({std::string(), std::move(forward.head),
         ExchangeTerms{forward.content_length - present, std::move(request->target), body,
                       upstream != nullptr ? Hop::upstream : Hop::origin},
         nullptr});
  co_return std::string();
}

}  // namespace agentrun::proxy
