#pragma once
// Two connected sockets, and what passes between them until both sides are done.

#include <memory>
#include <optional>
#include <string>

#include "answers.hpp"
#include "flow_filter.hpp"
#include "loop.hpp"
#include "stream.hpp"
#include "target.hpp"

namespace agentrun::proxy {

/// What a plain HTTP exchange adds to a tunnel.
struct ExchangeTerms {
  std::uint64_t upload = 0;  ///< body bytes still to come from the client
  Target target;             ///< for the answer when the origin gives none
  Body body = Body::with;    ///< of that answer
  Hop hop = Hop::origin;     ///< who is connected
};

struct RelayTerms {
  std::string to_client;    ///< goes out first
  std::string to_upstream;  ///< goes out first
  std::optional<ExchangeTerms> exchange;
  std::unique_ptr<FlowFilter> upload_filter;  ///< of what the client still sends; null: none
};

/// - The client has closed its sending side: ends after the half-close limit without data from upstream. While it is
///   open, both may pause as long as they like.
/// - A reset of one side is passed on as a reset, so that a cut download does not look complete.
/// - What the upload filter refuses ends the tunnel, with the filter's last words to the client.
/// - An idle tunnel holds no buffer, no pipe and no timer.
void start_relay(Loop& loop, Stream client, Stream upstream, RelayTerms terms);

}  // namespace agentrun::proxy
