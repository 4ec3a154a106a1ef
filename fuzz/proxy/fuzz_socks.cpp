#include <string>

#include "socks.hpp"
#include "targets.hpp"

namespace agentrun::fuzz {
namespace {

using namespace agentrun::proxy;

void check_request(std::string_view bytes) {
  const SocksRequest whole = parse_socks_request(bytes);
  SocksRequest pieces;
  for (std::size_t size = 0; size <= bytes.size() && pieces.progress == SocksProgress::need_more; ++size)
    pieces = parse_socks_request(bytes.substr(0, size));
  require(whole.progress == pieces.progress && whole.reply == pieces.reply, "the pieces make no difference");
  if (whole.progress != SocksProgress::complete) return;

  require(whole.size <= bytes.size() && whole.size == pieces.size, "a request ends within its bytes");
  require(whole.target.has_value() && whole.target->port != 0, "a request has a target");
  require(whole.target->host.form != HostForm::ipv6, "no IPv6 literal hides in a name");
  const auto again = parse_host(whole.target->host.text);
  require(again && *again == whole.target->host, "a target is in its judged form");
}

}  // namespace

void fuzz_socks(std::string_view input) {
  const SocksGreeting greeting = parse_socks_greeting(input);
  if (greeting.progress == SocksProgress::need_more) {
    require(input.size() < 2 + 255, "no greeting is longer");
  } else {
    require(greeting.size <= input.size(), "a greeting ends within its bytes");
    check_request(input.substr(greeting.size));
  }
  check_request(input);
}

}  // namespace agentrun::fuzz
