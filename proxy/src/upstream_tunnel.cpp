#include "upstream_tunnel.hpp"

#include "answers.hpp"
#include "upstream_answer.hpp"

namespace agentrun::proxy {

Task<std::string> UpstreamTunnel::open(const UpstreamServer& server, const Target& target) {
  loop_.limits().upstream_answer.start(*this);
  const std::string request = upstream_connect_request(server, target);
  std::string cause = co_await send(request);
  if (cause.empty()) cause = co_await read_answer();
  cancel_deadline();
  co_return cause;
}

Task<std::string> UpstreamTunnel::send(std::string_view request) {
  while (!request.empty()) {
    const IoResult result = stream_.send(request);
    request.remove_prefix(result.count);
    if (result.would_block()) {
      if (!co_await ready(Readiness::writable)) co_return std::string(upstream_timed_out);
    } else if (result.error != 0) {
      co_return upstream_connection_failed(result.error);
    }
  }
  co_return std::string();
}

Task<std::string> UpstreamTunnel::read_answer() {
  UpstreamAnswer answer;
  // The wait before each read lets others have their turn, and the deadline too: interim answers may never end.
  while (co_await ready(Readiness::readable)) {
    const IoResult result = stream_.receive(loop_.scratch(), Loop::scratch_size);
    if (result.would_block()) continue;
    if (result.error != 0) co_return upstream_connection_failed(result.error);
    if (result.count == 0) co_return std::string(upstream_closed);
    switch (answer.feed({loop_.scratch(), result.count})) {
      case UpstreamAnswer::Progress::need_more:
        break;
      case UpstreamAnswer::Progress::opened:
        early_ = answer.take_rest();
        co_return std::string();
      case UpstreamAnswer::Progress::refused:
        co_return upstream_answered(answer.status());
      case UpstreamAnswer::Progress::invalid:
        co_return std::string(upstream_invalid);
    }
  }
  co_return std::string(upstream_timed_out);
}

Task<bool> UpstreamTunnel::ready(Readiness readiness) {
  const bool is_ready = co_await stream_.ready(readiness);
  co_return is_ready && !is_late_;
}

void UpstreamTunnel::on_deadline() {
  is_late_ = true;
  stream_.cancel();
}

std::string upstream_connect_request(const UpstreamServer& server, const Target& target) {
  const std::string authority = to_string(target);
  std::string request = "CONNECT " + authority + " HTTP/1.1\r\nHost: " + authority + "\r\n";
  if (!server.authorization.empty()) request += "Proxy-Authorization: " + server.authorization + "\r\n";
  return request + "\r\n";
}

}  // namespace agentrun::proxy
