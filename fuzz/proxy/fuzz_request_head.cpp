#include <algorithm>
#include <string>

#include "http_request.hpp"
#include "targets.hpp"

namespace agentrun::fuzz {
namespace {

using namespace agentrun::proxy;

HeadProgress parse_in_pieces(std::string_view input, std::size_t& used) {
  RequestHeadParser parser;
  for (used = 1; used <= input.size(); ++used) {
    const HeadProgress progress = parser.feed(input.substr(0, used));
    if (progress != HeadProgress::need_more) return progress;
  }
  return HeadProgress::need_more;
}

void check_target(const Target& target) {
  require(target.port != 0, "a target has a port");
  const auto again = parse_host(target.host.text);
  require(again && *again == target.host, "a target is in its judged form");
}

/// What goes upstream must be one request to any reader.
void check_forwarded(const HttpRequest& request, std::string_view method) {
  const std::string_view head = request.forward->head;
  require(head.find("\r\n\r\n") == head.size() - 4, "a forwarded head ends once");
  require(head.starts_with(std::string(method) + ' '), "the method goes on unchanged");
  const std::string host = "\r\nHost: " + request.target.host.text;
  require(head.find(host) != std::string_view::npos, "the host that was judged is the one that is named");

  RequestHeadParser parser;
  // A forwarded head may be a little longer than what came, so only shorter ones can be read again.
  if (head.size() > max_head_size) return;
  require(parser.feed(head) == HeadProgress::malformed || parser.head(head).size == head.size(),
          "a forwarded head is a head");
  std::size_t hosts = 0;
  for (const HeaderField& field : parser.head(head).fields) {
    require(!equals_ignoring_case(field.name, "Transfer-Encoding"), "no coding is passed on");
    require(!starts_with_ignoring_case(field.name, "Proxy-"), "nothing meant for the proxy is passed on");
    hosts += equals_ignoring_case(field.name, "Host") ? 1 : 0;
  }
  require(hosts == 1, "one Host is passed on");
}

}  // namespace

void fuzz_request_head(std::string_view input) {
  RequestHeadParser parser;
  const HeadProgress whole = parser.feed(input);
  std::size_t used = 0;
  require(parse_in_pieces(input, used) == whole, "the pieces make no difference");
  (void)parser.is_head_method(input);
  if (whole != HeadProgress::complete) return;

  const RequestHead head = parser.head(input);
  require(head.size == used, "a head ends at its last byte");
  require(is_token(head.method), "a method is a token");
  for (const HeaderField& field : head.fields) {
    require(is_token(field.name), "a name is a token");
    require(std::ranges::none_of(field.value, is_forbidden_control), "a value has no control byte");
  }
  if (const auto request = interpret(head)) {
    check_target(request->target);
    if (request->forward) check_forwarded(*request, head.method);
  }
}

}  // namespace agentrun::fuzz
